internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Tasks, continuations and actors as they are made, resumed and finished.

extension Scheduler {
  /// Notes that `parent` has made a task, in the group at this address if it is not 0. Returns the task's record word.
  func created(
    _ task: UnsafeMutableRawPointer, by parent: UnsafeMutableRawPointer?, group: UInt, isDiscarding: Bool
  ) -> UInt64 {
    notePriority(unsafe ch_job_priority(task), firstID: unsafe ch_task_id(task))
    // When an executor is asked to take a job, its task is no longer the running one: the frame names the parent.
    let none = state.isMakingWork ? state.frame.task : -1
    let above = unsafe parent.map { unsafe taskIndex(of: $0) } ?? none
    // An immediate task begins inside the running step. Any other gets its domain when it runs.
    let index = unsafe tasks.add(
      task, parent: above, domain: state.frame.domain, isWork: state.isMakingWork)
    if state.launching > 0 { tasks.belongs(index, to: state.launching) }
    if state.followsCancellations { tables.cancellations.created(index, by: above) }
    // The word that the runtime keeps for a task has 24 bits for its number (`ch_tag`).
    if index >= 1 << 24 { fatalError("an execution has room for 16 million tasks") }
    if isDiscarding { tables.groups.addDiscarded(index, in: group) }
    if chooser.followsRelations { unsafe begins(task, index, by: above, in: group) }
    return state.tag | UInt64(index)
  }

  /// Notes if the tasks of the execution have different priorities. The first task is the root.
  @inline(__always)
  private func notePriority(_ priority: UInt8, firstID: @autoclosure () -> UInt64) {
    if tasks.count == 0 {
      unsafe hooks.pointee.execution.first_task_id = firstID()
      state.rootPriority = priority
    } else if priority != state.rootPriority, !state.prioritiesDiffer {
      beginsToDifferInPriority()
    }
  }

  func named(_ record: UInt64, _ name: String) {
    recorder.name(Int32(bitPattern: ch_index_of(record)), name)
  }

  func finished(_ record: UInt64, throwing error: UnsafeMutableRawPointer?) {
    let threw = unsafe error != nil
    let task = Int32(bitPattern: ch_index_of(record))
    tasks.finish(task)
    if task == 0, limits.notesAdvice { tables.afterBody.bodyReturned(tasks) }
    if chooser.followsRelations { ends(task) }
    unsafe resultIsReady(task, throwing: error)
    guard tasks[task].parent >= 0, unsafe ch_is_group_child(tasks[task].address) else { return }
    groupChildFinishes(task, threw: threw)
  }

  func continuationBegan(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    if index >= 0 { tasks.setContinuation(index, .pending) }
  }

  /// Returns true if the continuation of `task` may be resumed. To resume it twice is a violation, and is not done.
  func mayResume(_ task: UnsafeMutableRawPointer) -> Bool {
    let index = unsafe taskIndex(of: task)
    guard index >= 0 else { return true }
    if chooser.followsRelations { unsafe resumes(task) }
    if tasks[index].continuation == .resumed {
      let path = recorder.path(of: index, self)
      recorder.saw(.resumedTwice(task: path), self)
      monitors.violated(
        Invariant.BuiltIn.continuationResumedTwice, "a continuation of \(path) was resumed twice", self)
      return false
    }
    somethingHappened()
    tasks.setContinuation(index, .resumed)
    state.resuming = index
    return true
  }

  /// Notes that nothing holds the continuation of `task` anymore, and that nothing has resumed it. Returns false while
  /// an execution is torn down.
  func continuationDropped(_ task: UnsafeMutableRawPointer) -> Bool {
    let index = unsafe taskIndex(of: task)
    guard index >= 0, unsafe flight.pointee.tearing_down == 0 else { return false }
    tasks.setContinuation(index, .dropped)
    return true
  }

  func actorInitialized(_ actor: UInt) {
    let maker = currentTask
    if maker >= 0 {
      domains.began(actor, place: Digest.mix(tasks[maker].path, 1 << 32 | UInt64(tasks.madeActor(maker))))
    } else {
      state.actorsWithoutMaker += 1
      domains.began(actor, place: Digest.mix(Digest.seed, state.actorsWithoutMaker))
    }
  }
}

// MARK: - Identity

extension Scheduler {
  /// Returns the index of the task that `job` is, or -1 if it is not a task of this execution.
  @inline(__always)
  func taskIndex(of job: UnsafeMutableRawPointer) -> Int32 {
    let record = unsafe ch_job_record(job)
    return ch_tag_of(record) == state.tag ? Int32(bitPattern: ch_index_of(record)) : -1
  }

  /// Returns the task that the runtime's job for a yield resumes.
  func yielder(_ job: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    // Safe: a job of this kind names a task, which is alive because it waits for the job; the self-test checks it.
    unsafe UnsafeMutableRawPointer(bitPattern: UInt(ch_word(job, Int(CH_YIELD_TASK)))) ?? job
  }

  /// The running task. Exact even within the drain of a mailbox.
  var currentTask: Int32 {
    if let task = unsafe ch_running_task() { return unsafe taskIndex(of: task) }
    return state.frame.task
  }

  /// The domain of the running step; -1 if none runs.
  var currentDomain: Int32 {
    guard state.frame.domain >= 0 else { return -1 }
    if domains[state.frame.domain].isQueue { return state.frame.domain }
    if state.frame.isWithin, state.frame.domain > Domains.pool { return state.frame.domain }
    let executor = ch_current_executor()
    if executor.identity == 0, ch_is_on_main_queue() { return Domains.main }
    return domains.index(of: executor.identity, implementation: executor.implementation)
  }

  private var isBetweenSteps: Bool { unsafe hooks.pointee.execution.between_steps }

  /// The task in whose name an event happens: the running task or, between steps, the one whose step has just ended.
  var eventTask: Int32 { isBetweenSteps ? state.frame.task : currentTask }

  var eventDomain: Int32 { isBetweenSteps ? state.frame.domain : currentDomain }
}

// MARK: - Behavior

extension Scheduler {
  func mix(_ text: String) { state.digest = Digest.mix(state.digest, text) }

  func mix(_ kind: Trace.Event.Kind) {
    somethingHappened()
    chooser.endSilence()
    state.digest = Digest.mix(state.digest, kind, at: now)
  }

  /// Adds a call to what its fake saw.
  func sawCall(_ call: Trace.Call, at stage: UInt64) {
    let name = Digest.mix(Digest.seed, call.fake)
    if chooser.followsDependencies { chooser.accessed(.fake(name), .exclusive) }
    let task = currentTask
    let caller = (task >= 0 ? tasks[task].path : 0) ^ stage
    tables.fakeCalls.add(Digest.mix(caller, call.operation), to: name)
  }

  /// A hash of what the domains, the tasks and the fakes saw. The order among them does not matter.
  var behavior: UInt64 { domains.behavior &+ tasks.behavior &+ tables.fakeCalls.behavior }
}

// MARK: - What the C target calls

/// Returns true if a task, or the block or the thread whose task it is, has not ended.
@c @implementation
func simulator_is_alive(_ scheduler: UnsafeMutableRawPointer, _ task: UInt32) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.tasks[Int32(task)].isAlive }
}

@c @implementation
func simulator_task_created(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer, _ parent: UnsafeMutableRawPointer?,
  _ group: UInt, _ discards: Bool
) -> UInt64 {
  unsafe Scheduler.with(scheduler) {
    unsafe $0.created(task, by: parent, group: group, isDiscarding: discards)
  }
}

@c @implementation
func simulator_task_started(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer, _ identity: UInt,
  _ implementation: UInt
) {
  unsafe Scheduler.with(scheduler) {
    unsafe $0.started(task, identity: identity, implementation: implementation)
  }
}

@c @implementation
func simulator_task_finished(
  _ scheduler: UnsafeMutableRawPointer, _ record: UInt64, _ error: UnsafeMutableRawPointer?
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.finished(record, throwing: error) }
}

@c @implementation
func simulator_task_named(
  _ scheduler: UnsafeMutableRawPointer, _ record: UInt64, _ name: UnsafePointer<CChar>
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.named(record, String(cString: name)) }
}

@c @implementation
func simulator_actor_initialized(_ scheduler: UnsafeMutableRawPointer, _ actor: UInt) {
  unsafe Scheduler.with(scheduler) { $0.actorInitialized(actor) }
}

@c @implementation
func simulator_continuation_began(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.continuationBegan(task) }
}

@c @implementation
func simulator_continuation_resumed(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer
) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.mayResume(task) }
}

@c @implementation
func simulator_continuation_dropped(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer
) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.continuationDropped(task) }
}

/// Notes the callers that first resumed a checked continuation. Its second resumption is about to end the process.
@c @implementation
func simulator_completed_twice(
  _ scheduler: UnsafeMutableRawPointer, _ callers: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int
) {
  unsafe Scheduler.with(scheduler) { unsafe cp_write_earlier($0.flight, callers, count) }
}

@c @implementation
func simulator_resumes(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.resumes(task) }
}

@c @implementation
func simulator_consulted(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.consulted(task) }
}
