internal import CConcurrencyHooks

/// The domains where the program's serial executors run their jobs, and the default actors whose jobs the program's
/// task executors run.
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
