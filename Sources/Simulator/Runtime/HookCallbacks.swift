internal import CConcurrencyHooks
internal import CProcesses

// What the C target calls. Each recovers the scheduler that the thread-local names and hands the event on.
//
// Safe throughout: `ch_current` is non-null only while a scheduler's `run` is on this thread's stack, which keeps
// the scheduler alive.

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

/// Whether a task has not ended, or the block or the thread whose task it is.
@_cdecl("simulator_is_alive")
func simulatorIsAlive(_ scheduler: UnsafeMutableRawPointer, _ task: UInt32) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.tasks[Int32(task)].isAlive }
}

@_cdecl("simulator_enqueued_global")
func simulatorEnqueuedGlobal(_ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enqueuedOnPool(job) }
}

@_cdecl("simulator_enqueued_main")
func simulatorEnqueuedMain(_ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enqueuedOnMain(job) }
}

@_cdecl("simulator_enqueued_later")
func simulatorEnqueuedLater(
  _ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer, _ delay: Int64
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enqueuedLater(job, delay: delay) }
}

@_cdecl("simulator_task_created")
func simulatorTaskCreated(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer, _ parent: UnsafeMutableRawPointer?,
  _ group: UInt, _ discards: Bool
) -> UInt64 {
  unsafe Scheduler.with(scheduler) {
    unsafe $0.created(task, by: parent, group: group, isDiscarding: discards)
  }
}

@_cdecl("simulator_task_started")
func simulatorTaskStarted(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer, _ identity: UInt,
  _ implementation: UInt
) {
  unsafe Scheduler.with(scheduler) {
    unsafe $0.started(task, identity: identity, implementation: implementation)
  }
}

@_cdecl("simulator_task_finished")
func simulatorTaskFinished(_ scheduler: UnsafeMutableRawPointer, _ record: UInt64, _ threw: Bool) {
  unsafe Scheduler.with(scheduler) { $0.finished(record, threw: threw) }
}

@_cdecl("simulator_continuation_resumed")
func simulatorContinuationResumed(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer
) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.mayResume(task) }
}

/// A checked continuation is about to end the process; these have resumed it before.
@_cdecl("simulator_completed_twice")
func simulatorCompletedTwice(
  _ scheduler: UnsafeMutableRawPointer, _ callers: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int
) {
  unsafe Scheduler.with(scheduler) { unsafe cp_write_earlier($0.flight, callers, count) }
}

/// The program does what may end its process.
@_cdecl("simulator_may_end")
func simulatorMayEnd(
  _ scheduler: UnsafeMutableRawPointer, _ way: Int32, _ number: Int32,
  _ callers: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int32
) {
  unsafe Scheduler.with(scheduler) { unsafe cp_note_ending($0.flight, way, number, callers, Int(count)) }
}

@_cdecl("simulator_task_named")
func simulatorTaskNamed(
  _ scheduler: UnsafeMutableRawPointer, _ record: UInt64, _ name: UnsafePointer<CChar>
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.named(record, String(cString: name)) }
}

@_cdecl("simulator_consulted")
func simulatorConsulted(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.consulted(task) }
}

@_cdecl("simulator_cancels")
func simulatorCancels(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.sawCancel(of: task) }
}

@_cdecl("simulator_cancels_group")
func simulatorCancelsGroup(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.sawCancelOfGroup() }
}

@_cdecl("simulator_asks_whether_cancelled")
func simulatorAsksWhetherCancelled(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.asksWhetherCancelled(task) }
}

@_cdecl("simulator_stream_made")
func simulatorStreamMade(_ scheduler: UnsafeMutableRawPointer, _ storage: UInt, _ size: Int) {
  unsafe Scheduler.with(scheduler) { $0.streamMade(storage, size: size) }
}

@_cdecl("simulator_stream_reached")
func simulatorStreamReached(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) {
  unsafe Scheduler.with(scheduler) { $0.streamReached(lock) }
}

@_cdecl("simulator_actor_initialized")
func simulatorActorInitialized(_ scheduler: UnsafeMutableRawPointer, _ actor: UInt) {
  unsafe Scheduler.with(scheduler) { $0.actorInitialized(actor) }
}

@_cdecl("simulator_foreign_enqueue")
func simulatorForeignEnqueue(_ record: UInt64, _ job: UnsafeMutableRawPointer) {
  unsafe ForeignInbox.deliver(record: record, job: job)
}

@_cdecl("simulator_visited")
func simulatorVisited(_ tag: UInt64) -> Bool { ForeignInbox.visit(tag: tag) }

@_cdecl("simulator_continuation_began")
func simulatorContinuationBegan(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.continuationBegan(task) }
}

@_cdecl("simulator_continuation_dropped")
func simulatorContinuationDropped(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer
) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.continuationDropped(task) }
}

@_cdecl("simulator_left")
func simulatorLeft(
  _ scheduler: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>,
  _ frames: UnsafePointer<UnsafeRawPointer?>, _ count: Int32
) {
  let addresses = unsafe UnsafeBufferPointer(start: frames, count: Int(count)).map { UInt(bitPattern: $0) }
  unsafe Scheduler.with(scheduler) { unsafe $0.left(by: String(cString: name), from: addresses) }
}

@_cdecl("simulator_shares_unseen")
func simulatorSharesUnseen(_ scheduler: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>) {
  unsafe Scheduler.with(scheduler) { unsafe $0.sharesUnseen(by: String(cString: name)) }
}

@_cdecl("simulator_uses")
func simulatorUses(_ scheduler: UnsafeMutableRawPointer, _ object: UInt, _ onlyReads: Bool) {
  unsafe Scheduler.with(scheduler) { $0.uses(object, onlyReads ? .read : .exclusive) }
}

@_cdecl("simulator_resumes")
func simulatorResumes(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.resumes(task) }
}

@_cdecl("simulator_made")
func simulatorMade(_ scheduler: UnsafeMutableRawPointer, _ object: UInt) {
  unsafe Scheduler.with(scheduler) { $0.made(object) }
}

@_cdecl("simulator_unmade")
func simulatorUnmade(_ scheduler: UnsafeMutableRawPointer, _ object: UInt) {
  unsafe Scheduler.with(scheduler) { $0.unmade(object) }
}

// MARK: - Steps that stand

@_cdecl("simulator_may_stand")
func simulatorMayStand(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.mayStand() }
}

@_cdecl("simulator_may_spin")
func simulatorMaySpin(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.maySpin() }
}

@_cdecl("simulator_yields")
func simulatorYields(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.yields() }
}

/// The number of the running step.
@_cdecl("simulator_step")
func simulatorStep(_ scheduler: UnsafeMutableRawPointer) -> UInt64 {
  unsafe Scheduler.with(scheduler) { UInt64($0.state.steps) }
}

@_cdecl("simulator_gives_way")
func simulatorGivesWay(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.givesWay() }
}

@_cdecl("simulator_drive")
func simulatorDrive(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.driveElsewhere() }
}

@_cdecl("simulator_driver_left")
func simulatorDriverLeft(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) {
    $0.hasLeftStep = true
    $0.handOverToFirst()
  }
}

@_cdecl("simulator_waits_for_lock")
func simulatorWaitsForLock(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.waits(forLock: lock) }
}

@_cdecl("simulator_waits_for_thread")
func simulatorWaitsForThread(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt, _ thread: UInt32) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.waits(forLock: lock, of: thread) }
}

@_cdecl("simulator_took_lock")
func simulatorTookLock(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt, _ isMutex: Bool) {
  unsafe Scheduler.with(scheduler) { $0.tookLock(lock, isMutex: isMutex) }
}

@_cdecl("simulator_opened_lock")
func simulatorOpenedLock(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) {
  unsafe Scheduler.with(scheduler) { $0.openedLock(lock) }
}

@_cdecl("simulator_abandoned")
func simulatorAbandoned(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.openAbandoned() }
}
