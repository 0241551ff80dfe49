internal import CConcurrencyHooks

/// The domains where the program's serial executors run their jobs, and the default actors whose jobs the program's
/// task executors run.
///
/// An executor that the program has written is asked to take a job where the runtime would ask it, by its own `enqueue`. What
/// that code does is simulated like any other code. The executor decides when the job runs: where the program calls
/// `runSynchronously`. The job is then part of the step that calls it, and has that step's domain; only its task, its
/// executor and its line in the trace are its own.
///
/// - A hop to such an executor takes two steps if it leaves the pool, the main actor or a default actor: the task leaves, and
///   then asks the executor, so that other tasks can reach the executor in between. Until it has asked, the domain that it
///   leaves stays closed, as in the runtime.
/// - If an executor runs several jobs in one step, they can be seen apart only if steps are preemptible: then the step may be
///   preempted before each job.
/// - A hop out of such a job is enqueued when its step does anything more, or when its domain takes its next step
///   (`Frame.inFlight`).
/// - A default actor that is reached by a task which prefers an executor is run by that executor: the first job that reaches
///   the idle actor is given to the executor, which then runs all jobs that have come (``add``, ``runs``). A task without a
///   preference that comes meanwhile is refused.
/// - For the reduced search, jobs of a serial executor depend on each other through the domain of their steps, or, on the
///   pool, through the type of the executor. Jobs of a default actor that an executor runs depend on everything.
@safe final class UserExecutors: ExecutionTable {
  /// A job of a default actor, and what its task prefers.
  @safe struct ActorJob {
    let job: UnsafeMutableRawPointer
    let preference: ch_executor
    let priority: UInt8
  }

  private var domains: [UInt: Int32] = [:]
  /// The jobs that a task executor is to run when their turn comes, by actor.
  private var actorJobs: [UInt: [ActorJob]] = [:]
  /// The actor whose jobs an executor runs when it runs a job, by job.
  private var actors: [UInt: UInt] = [:]

  /// The executors of tasks whose work keeps a domain closed, by task.
  private var working: [Int32: ch_executor] = [:]

  var isFresh: Bool { domains.isEmpty && actorJobs.isEmpty && working.isEmpty }

  func removeAll() {
    if !domains.isEmpty { domains.removeAll(keepingCapacity: true) }
    if !working.isEmpty { working.removeAll(keepingCapacity: true) }
    if !actorJobs.isEmpty {
      actorJobs.removeAll(keepingCapacity: true)
      actors.removeAll(keepingCapacity: true)
    }
  }

  // MARK: default actors

  /// Returns true if a task executor has been asked to run the jobs of this actor, and has not run all.
  func drives(_ actor: UInt) -> Bool { !actorJobs.isEmpty && actorJobs[actor] != nil }

  /// Inserts a job behind those of at least its priority. Returns true if an executor must be asked to run it.
  func add(_ job: ActorJob, to actor: UInt) -> Bool {
    var jobs = actorJobs[actor] ?? []
    jobs.insert(job, at: jobs.firstIndex { $0.priority < job.priority } ?? jobs.count)
    let isFirst = actorJobs.updateValue(jobs, forKey: actor) == nil
    if isFirst { unsafe actors[UInt(bitPattern: job.job)] = actor }
    return isFirst
  }

  /// Returns, once, the actor whose jobs an executor runs when it runs this one.
  func takeActor(of job: UnsafeMutableRawPointer) -> UInt? {
    actors.isEmpty ? nil : actors.removeValue(forKey: UInt(bitPattern: job))
  }

  /// Returns the actor's next job. If there is none, returns nil and frees the actor.
  func takeJob(of actor: UInt) -> ActorJob? {
    guard var jobs = actorJobs[actor], !jobs.isEmpty else {
      actorJobs[actor] = nil
      return nil
    }
    let first = jobs.removeFirst()
    actorJobs[actor] = jobs
    return first
  }

  // MARK: work that takes time

  func works(_ task: Int32, on executor: ch_executor) { working[task] = executor }
  func takeExecutor(of task: Int32) -> ch_executor? {
    working.isEmpty ? nil : working.removeValue(forKey: task)
  }

  // MARK: serial executors

  /// Notes that the executor runs jobs on `domain`. Returns true if it has run jobs nowhere else. O(1).
  func runs(_ executor: UInt, on domain: Int32) -> Bool {
    guard let known = domains[executor] else {
      domains[executor] = domain
      return true
    }
    return known == domain
  }
}
