internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Timer sources of Dispatch: when they fire, and what their handlers do.

extension Scheduler {
  /// Sets the timer of a source anew, after a change of its times or of whether it runs, and has its handler called for what
  /// has happened meanwhile.
  private func reset(_ source: TimerSources.Source) {
    somethingHappened()
    if let timer = source.timer { timers.kill(timer) }
    source.timer = nil
    if source.isOwed, !source.isBusy { begins(source) }
    guard !source.isOver, !source.isStopped, let deadline = source.deadline else { return }
    if !source.hasBegun {
      source.hasBegun = true
      handle(source, Self.onRegistration)
    }
    if deadline <= now { return fires(source) }
    if chooser.followsDependencies { chooser.accessed(.timers, .added) }
    source.timer = unsafe timers.set(nil, deadline: max(now, deadline), task: -1)
  }

  /// Hands over one of the source's handlers, if it is set.
  private func handle(_ source: TimerSources.Source, _ which: Int32) {
    guard let handler = source.handlers[which] else { return }
    var work = unsafe ch_work_again(handler.work)
    unsafe work.queue = source.queue
    unsafe handedOver(work)
  }

  private static let onEvent: Int32 = 0
  private static let onCancel: Int32 = 1
  private static let onRegistration: Int32 = 2

  /// Fires a source whose time has come. Instants that have passed before that are one event with it, as in Dispatch.
  func fires(_ source: TimerSources.Source, isFree: Bool = false) {
    source.events += 1
    source.isFree = isFree
    if source.interval > 0, let deadline = source.deadline {
      let missed = max(0, now - deadline) / source.interval
      source.events += UInt(missed)
      let last = deadline + missed * source.interval
      // A source does not repeat during tear-down.
      source.deadline = unsafe flight.pointee.tearing_down == 0 ? last.addingClamped(source.interval) : nil
    } else {
      source.deadline = nil
    }
    reset(source)
  }

  /// Has a thread of Dispatch hand the handler over. The source is not fired again before the handler has ended.
  private func begins(_ source: TimerSources.Source) {
    source.isBusy = true
    let push = unsafe ch_work(
      block: nil, function: { unsafe Scheduler.pushEvent($0) }, context: source.address,
      queue: ch_timer_queue(),
      group: nil, is_barrier: false)
    guard let task = unsafe makeTask(for: push) else { return }
    handOver(task, isFree: source.isFree)
    source.isFree = false
  }

  private static func pushEvent(_ context: UnsafeMutableRawPointer?) {
    unsafe with(context) { scheduler, source in
      let run = unsafe ch_work(
        block: nil, function: { unsafe Scheduler.runEvent($0) }, context: source.address, queue: source.queue,
        group: nil, is_barrier: false)
      if scheduler.chooser.followsDependencies {
        unsafe scheduler.uses(UInt(bitPattern: source.address), .exclusive)
      }
      _ = unsafe scheduler.queue(at: source.queue)
      guard let task = unsafe scheduler.makeTask(for: run) else { return }
      source.caller = task
      scheduler.handOver(task)
    }
  }

  private static func runEvent(_ context: UnsafeMutableRawPointer?) {
    unsafe with(context) { scheduler, source in
      scheduler.uses(source)
      let mayHaveBegun = source.mayHaveBegun
      (source.caller, source.mayHaveBegun) = (nil, false)
      if source.isOwed || mayHaveBegun && scheduler.choosesStart() {
        (source.data, source.events) = (max(1, source.events), 0)
        scheduler.callHandler(of: source)
      } else if mayHaveBegun, source.isEnding {
        scheduler.handsOverEnd(of: source)
      }
      source.isBusy = false
      if source.isOwed { scheduler.begins(source) }
    }
  }

  private func callHandler(of source: TimerSources.Source) {
    if let handler = source.handlers[Self.onEvent] {
      let again = unsafe ch_work_again(handler.work)
      unsafe acquires(UInt(bitPattern: source.address))
      source.isHandling = true
      unsafe ch_call_work(again)
      source.isHandling = false
      unsafe releases(UInt(bitPattern: source.address))
    }
    if source.isEnding { handsOverEnd(of: source) }
  }

  private static func with(
    _ context: UnsafeMutableRawPointer?, _ body: (Scheduler, TimerSources.Source) -> Void
  ) {
    guard let simulation = unsafe ch_get_current(), let context = unsafe context else { return }
    unsafe with(simulation) { scheduler in
      if let source = unsafe scheduler.tables.sources[context] { body(scheduler, source) }
    }
  }

  // MARK: end

  /// Sets the timer of the source anew, and ends the source if it is over: its queue then calls the handler for a
  /// cancel, and releases what the handlers hold.
  private func end(_ source: TimerSources.Source) {
    reset(source)
    guard source.isOver, !source.isStopped, !source.isEnding else { return }
    source.isEnding = true
    if !source.isHandling, !source.mayHaveBegun { handsOverEnd(of: source) }
  }

  private func handsOverEnd(of source: TimerSources.Source) {
    guard !source.handlers.isEmpty else { return }
    let work = unsafe ch_work(
      block: nil, function: { unsafe Scheduler.runEnd($0) }, context: source.address, queue: source.queue,
      group: nil, is_barrier: false)
    unsafe handedOver(work)
  }

  private static func runEnd(_ context: UnsafeMutableRawPointer?) {
    unsafe with(context) { scheduler, source in
      unsafe scheduler.acquires(UInt(bitPattern: source.address))
      source.forget(onEvent)
      source.forget(onRegistration)
      guard let handler = source.handlers.removeValue(forKey: onCancel) else { return }
      if source.isCancelled { unsafe ch_call_work(handler.work) } else { unsafe ch_forget_work(handler.work) }
    }
  }

  /// Notes that the program has released its last reference. Returns true if Dispatch ends the process here.
  func sourceReleased(_ source: TimerSources.Source) -> Bool {
    guard !source.isStopped else { return true }
    uses(source)
    source.isReleased = true
    end(source)
    return false
  }

  // MARK: what the program does to it

  private func uses(_ source: TimerSources.Source) {
    unsafe releases(UInt(bitPattern: source.address))
    if chooser.followsDependencies { unsafe uses(UInt(bitPattern: source.address), .exclusive) }
  }

  fileprivate func sourceHandles(_ address: UnsafeMutableRawPointer, _ work: ch_work, _ which: Int32) {
    guard let source = unsafe tables.sources[address] else { return unsafe ch_forget_work(work) }
    source.forget(which)
    releases(UInt(bitPattern: address))
    if unsafe work.block != nil || work.function != nil {
      source.handlers[which] = unsafe TimerSources.Handler(work: work)
    }
  }

  /// Returns true if the handler could run now, and so may have begun by the end of this statement.
  private func mayHaveBegun(_ source: TimerSources.Source) -> Bool {
    source.isOwed && source.caller.map(couldHaveBegun) == true
  }

  fileprivate func sourceSet(
    _ address: UnsafeMutableRawPointer, _ delay: Int64, _ interval: Int64, _ stamp: TimerStamp
  ) {
    guard let source = unsafe tables.sources[address] else { return }
    source.deadline = delay == .max ? nil : now.addingClamped(delay)
    source.stamp = stamp
    source.interval = interval
    // What has happened at the times that were set before is forgotten, unless the handler has begun.
    source.mayHaveBegun = mayHaveBegun(source)
    source.events = 0
    uses(source)
    reset(source)
  }

  /// Suspends, activates or resumes a source. Returns true if Dispatch ends the process here, because the source is
  /// resumed more often than it was suspended.
  fileprivate func sourceResumes(_ address: UnsafeMutableRawPointer, _ change: Int32) -> Bool {
    guard let source = unsafe tables.sources[address] else { return false }
    uses(source)
    switch change {
    case CInt(CH_SUSPENDS): source.suspensions += 1
    case CInt(CH_ACTIVATES): source.isInactive = false
    case _ where source.suspensions > 0: source.suspensions -= 1
    case _ where source.isInactive: source.isInactive = false
    default: return true
    }
    end(source)
    return false
  }

  fileprivate func sourceCancels(_ address: UnsafeMutableRawPointer) {
    guard let source = unsafe tables.sources[address], !source.isCancelled else { return }
    source.mayHaveBegun = mayHaveBegun(source)
    source.isCancelled = true
    uses(source)
    end(source)
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_source_made(
  _ scheduler: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer
) {
  unsafe Scheduler.with(scheduler) {
    _ = unsafe $0.queue(at: queue)
    unsafe $0.tables.sources.add(source, queue: queue)
  }
}

@c @implementation
func simulator_source_retargets(
  _ scheduler: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer
) -> Bool {
  unsafe Scheduler.with(scheduler) {
    guard let known = unsafe $0.tables.sources[source] else { return false }
    _ = unsafe $0.queue(at: queue)
    unsafe known.queue = queue
    return true
  }
}

@c @implementation
func simulator_source_handles(
  _ scheduler: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ work: ch_work, _ which: Int32
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.sourceHandles(source, work, which) }
}

@c @implementation
func simulator_source_set(
  _ scheduler: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ delay: Int64, _ interval: Int64,
  _ hasCalendarTime: Bool
) {
  unsafe Scheduler.with(scheduler) {
    unsafe $0.sourceSet(source, delay, interval, $0.timerStamp(isCalendar: hasCalendarTime))
  }
}

@c @implementation
func simulator_source_resumes(
  _ scheduler: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ change: Int32
) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.sourceResumes(source, change) }
}

@c @implementation
func simulator_source_cancels(_ scheduler: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.sourceCancels(source) }
}

@c @implementation
func simulator_source_is_cancelled(
  _ scheduler: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer
) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.tables.sources[source]?.isCancelled ?? true }
}

@c @implementation
func simulator_source_data(_ scheduler: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer) -> UInt {
  unsafe Scheduler.with(scheduler) { unsafe $0.tables.sources[source]?.data ?? 0 }
}
