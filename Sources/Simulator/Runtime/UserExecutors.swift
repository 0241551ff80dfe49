internal import CConcurrencyHooks

/// Where the serial executors of the program's run their jobs, and the default actors whose jobs task executors of the
/// program's run.
@safe final class UserExecutors: ExecutionTable {
  /// A job of a default actor's, and what its task prefers.
  @safe struct ActorJob {
    let job: UnsafeMutableRawPointer
    let preference: ch_executor
    let priority: UInt8
  }

  private var domains: [UInt: Int32] = [:]
  /// The jobs that a task executor is to run when it comes to that, by actor.
  private var actorJobs: [UInt: [ActorJob]] = [:]
  /// The actor to whose jobs an executor comes when it runs this one.
  private var actors: [UInt: UInt] = [:]

  /// Where tasks work that keep a domain closed, which is their executor's.
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

  /// Whether a task executor has been asked to run the jobs of this actor, and has not run all.
  func drives(_ actor: UInt) -> Bool { !actorJobs.isEmpty && actorJobs[actor] != nil }

  /// Puts a job behind those of at least its priority. Whether an executor must be asked to come for it.
  func add(_ job: ActorJob, to actor: UInt) -> Bool {
    var jobs = actorJobs[actor] ?? []
    jobs.insert(job, at: jobs.firstIndex { $0.priority < job.priority } ?? jobs.count)
    let isFirst = actorJobs.updateValue(jobs, forKey: actor) == nil
    if isFirst { unsafe actors[UInt(bitPattern: job.job)] = actor }
    return isFirst
  }

  /// The actor to whose jobs an executor comes with this one.
  func takeActor(of job: UnsafeMutableRawPointer) -> UInt? {
    actors.isEmpty ? nil : actors.removeValue(forKey: UInt(bitPattern: job))
  }

  /// The next job of the actor's; nil, and it is free again, where there is none.
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

  /// Whether the executor has run jobs nowhere else. O(1).
  func runs(_ executor: UInt, on domain: Int32) -> Bool {
    guard let known = domains[executor] else {
      domains[executor] = domain
      return true
    }
    return known == domain
  }
}
