internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore

// The functions that the C target calls. Each recovers the scheduler that the thread-local names, and hands the event
// on to it.
//
// Safe throughout: `ch_current` is non-null only while a scheduler's `run` is on this thread's stack, which keeps the
// scheduler alive.

extension Scheduler {
  /// Calls `body` with the scheduler, without counting a reference.
  @inline(__always)
  static func with<Result>(
    _ simulation: UnsafeMutablePointer<ch_simulation>, _ body: (Scheduler) -> Result
  ) -> Result {
    guard let pointer = unsafe simulation.pointee.scheduler else {
      // The hooks are called for a running simulation only; C cannot say that in its types.
      fatalError("a simulation without a scheduler")
    }
    return unsafe with(pointer, body)
  }

  @inline(__always)
  static func with<Result>(_ pointer: UnsafeMutableRawPointer, _ body: (Scheduler) -> Result) -> Result {
    unsafe Unmanaged<Scheduler>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
  }
}

/// Returns true if a task, or the block or the thread whose task it is, has not ended.
@c @implementation
func simulator_is_alive(_ scheduler: UnsafeMutableRawPointer, _ task: UInt32) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.tasks[Int32(task)].isAlive }
}

@c @implementation
func simulator_enqueued_global(_ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enqueuedOnPool(job) }
}

@c @implementation
func simulator_enqueued_main(_ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enqueuedOnMain(job) }
}

@c @implementation
func simulator_enqueued_later(
  _ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer, _ delay: Int64
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enqueuedLater(job, delay: delay) }
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
func simulator_task_finished(_ scheduler: UnsafeMutableRawPointer, _ record: UInt64, _ threw: Bool) {
  unsafe Scheduler.with(scheduler) { $0.finished(record, threw: threw) }
}

@c @implementation
func simulator_continuation_resumed(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer
) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.mayResume(task) }
}

/// Notes the callers that first resumed a checked continuation. Its second resumption is about to end the process.
@c @implementation
func simulator_completed_twice(
  _ scheduler: UnsafeMutableRawPointer, _ callers: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int
) {
  unsafe Scheduler.with(scheduler) { unsafe cp_write_earlier($0.flight, callers, count) }
}

/// Notes that the program is about to do what may end its process.
@c @implementation
func simulator_may_end(
  _ scheduler: UnsafeMutableRawPointer, _ way: Int32, _ number: Int32,
  _ callers: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int32
) {
  unsafe Scheduler.with(scheduler) { unsafe cp_note_ending($0.flight, way, number, callers, Int(count)) }
}

@c @implementation
func simulator_task_named(
  _ scheduler: UnsafeMutableRawPointer, _ record: UInt64, _ name: UnsafePointer<CChar>
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.named(record, String(cString: name)) }
}

@c @implementation
func simulator_consulted(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.consulted(task) }
}

@c @implementation
func simulator_cancels(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.sawCancel(of: task) }
}

@c @implementation
func simulator_cancels_group(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.sawCancelOfGroup() }
}

@c @implementation
func simulator_asks_whether_cancelled(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.asksWhetherCancelled(task) }
}

@c @implementation
func simulator_stream_made(_ scheduler: UnsafeMutableRawPointer, _ storage: UInt, _ size: Int) {
  unsafe Scheduler.with(scheduler) { $0.streamMade(storage, size: size) }
}

@c @implementation
func simulator_stream_reached(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) {
  unsafe Scheduler.with(scheduler) { $0.streamReached(lock) }
}

@c @implementation
func simulator_actor_initialized(_ scheduler: UnsafeMutableRawPointer, _ actor: UInt) {
  unsafe Scheduler.with(scheduler) { $0.actorInitialized(actor) }
}

@c @implementation
func simulator_foreign_enqueue(_ record: UInt64, _ job: UnsafeMutableRawPointer) {
  unsafe ForeignInbox.deliver(record: record, job: job)
}

@c @implementation
func simulator_visited(_ tag: UInt64) -> Bool { ForeignInbox.visit(tag: tag) }

@c @implementation
func simulator_continuation_began(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.continuationBegan(task) }
}

@c @implementation
func simulator_continuation_dropped(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer
) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.continuationDropped(task) }
}

@c @implementation
func simulator_left(
  _ scheduler: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>,
  _ frames: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int32
) {
  let addresses = unsafe UnsafeBufferPointer(start: frames, count: Int(count)).map { UInt(bitPattern: $0) }
  unsafe Scheduler.with(scheduler) { unsafe $0.left(by: String(cString: name), from: addresses) }
}

@c @implementation
func simulator_shares_unseen(_ scheduler: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>) {
  unsafe Scheduler.with(scheduler) { unsafe $0.sharesUnseen(by: String(cString: name)) }
}

@c @implementation
func simulator_uses(_ scheduler: UnsafeMutableRawPointer, _ object: UInt, _ onlyReads: Bool) {
  unsafe Scheduler.with(scheduler) { $0.uses(object, onlyReads ? .read : .exclusive) }
}

@c @implementation
func simulator_resumes(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.resumes(task) }
}

@c @implementation
func simulator_made(_ scheduler: UnsafeMutableRawPointer, _ object: UInt) {
  unsafe Scheduler.with(scheduler) { $0.made(object) }
}

@c @implementation
func simulator_unmade(_ scheduler: UnsafeMutableRawPointer, _ object: UInt) {
  unsafe Scheduler.with(scheduler) { $0.unmade(object) }
}

// MARK: - Parked steps

@c @implementation
func simulator_preemption_point(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.preemptionPoint() }
}

@c @implementation
func simulator_may_spin(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.maySpin() }
}

@c @implementation
func simulator_yields(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.yields() }
}

/// Returns the number of the running step.
@c @implementation
func simulator_step(_ scheduler: UnsafeMutableRawPointer) -> UInt64 {
  unsafe Scheduler.with(scheduler) { UInt64($0.state.steps) }
}

@c @implementation
func simulator_gives_way(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.givesWay() }
}

@c @implementation
func simulator_drive(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.driveElsewhere() }
}

@c @implementation
func simulator_driver_left(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) {
    $0.hasLeftStep = true
    $0.handOverToFirst()
  }
}
