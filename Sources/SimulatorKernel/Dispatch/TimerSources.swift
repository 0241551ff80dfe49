internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The timer sources of Dispatch that an execution has made.
@safe final class TimerSources: ExecutionTable {
  /// A handler of a source. Owns a block.
  @safe struct Handler { let work: ch_work }

  @safe final class Source {
    let address: UnsafeMutableRawPointer
    var queue: UnsafeMutableRawPointer
    /// The handlers for its events, for its cancellation and for its beginning.
    var handlers: [Int32: Handler] = [:]
    /// The instant when it fires next; nil if no time is set.
    var deadline: Int64?
    /// The virtual nanoseconds between two events; 0 if there is only one.
    var interval: Int64 = 0
    /// True until the program activates or resumes it.
    var isInactive = true
    var suspensions = 0
    var hasBegun = false
    var isCancelled = false
    /// True if the program holds no reference to it anymore.
    var isReleased = false
    /// True if it has been cancelled or released, and its queue does what is left to do.
    var isEnding = false
    /// The pending timer.
    var timer: UInt32?
    /// `isBusy` is true if it has fired and its handler has not ended; `hasMissed`, if it has fired again since.
    var isBusy = false, hasMissed = false

    init(_ address: UnsafeMutableRawPointer, queue: UnsafeMutableRawPointer) {
      unsafe self.address = address
      unsafe self.queue = queue
    }

    var isStopped: Bool { suspensions > 0 || isInactive }
    /// True if it never fires again.
    var isOver: Bool { isCancelled || isReleased }

    func forget(_ which: Int32) {
      if let handler = handlers.removeValue(forKey: which) { unsafe ch_forget_work(handler.work) }
    }
  }

  private var sources: [UInt: Source] = [:]

  var isFresh: Bool { sources.isEmpty }

  func removeAll() {
    guard !sources.isEmpty else { return }
    for source in sources.values {
      for handler in source.handlers.values { unsafe ch_forget_work(handler.work) }
      unsafe ch_release_dispatch(source.address)
    }
    sources.removeAll(keepingCapacity: true)
  }

  subscript(address: UnsafeMutableRawPointer) -> Source? { sources[UInt(bitPattern: address)] }

  /// Adds a source, and retains it until ``removeAll()``, so that no other gets its address before. `queue` is in
  /// ``DispatchQueues``, which retains the queue.
  func add(_ address: UnsafeMutableRawPointer, queue: UnsafeMutableRawPointer) {
    unsafe ch_retain_dispatch(address)
    sources[UInt(bitPattern: address)] = unsafe Source(address, queue: queue)
  }

  /// Returns true if a source that may still fire, or has something left to do, runs on this queue.
  func use(_ queue: UnsafeMutableRawPointer) -> Bool {
    sources.values.contains { unsafe $0.queue == queue && !($0.isReleased && $0.handlers.isEmpty) }
  }

  /// Returns the source whose timer this is.
  func source(of timer: UInt32) -> Source? {
    sources.isEmpty ? nil : sources.values.first { $0.timer == timer }
  }
}

extension Scheduler {
  /// Sets the timer of a source anew, after a change of its times or of whether it runs.
  private func reset(_ source: TimerSources.Source) {
    somethingHappened()
    if let timer = source.timer { timers.kill(timer) }
    source.timer = nil
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

  /// Fires a source whose time has come.
  func fires(_ source: TimerSources.Source) {
    source.timer = nil
    if source.interval > 0, let deadline = source.deadline {
      // A source does not repeat during tear-down.
      source.deadline =
        unsafe flight.pointee.tearing_down == 0 ? deadline.addingClamped(source.interval) : nil
      if source.deadline != nil { reset(source) }
    } else {
      source.deadline = nil
    }
    guard !source.isBusy else { return source.hasMissed = true }
    begins(source)
  }

  /// Has a thread of Dispatch hand the handler over. The source is not fired again before the handler has ended.
  private func begins(_ source: TimerSources.Source) {
    source.isBusy = true
    let push = unsafe ch_work(
      block: nil, function: { unsafe Scheduler.pushEvent($0) }, context: source.address,
      queue: ch_timer_queue(),
      group: nil, is_barrier: false)
    unsafe handedOver(push)
  }

  private static func pushEvent(_ context: UnsafeMutableRawPointer?) {
    unsafe with(context) { scheduler, source in
      let run = unsafe ch_work(
        block: nil, function: { unsafe Scheduler.runEvent($0) }, context: source.address, queue: source.queue,
        group: nil, is_barrier: false)
      unsafe scheduler.handedOver(run)
    }
  }

  private static func runEvent(_ context: UnsafeMutableRawPointer?) {
    unsafe with(context) { scheduler, source in
      scheduler.uses(source)
      if !source.isOver, !source.isStopped, let handler = source.handlers[onEvent] {
        let again = unsafe ch_work_again(handler.work)
        unsafe ch_call_work(again)
      }
      source.isBusy = false
      guard source.hasMissed else { return }
      source.hasMissed = false
      if !source.isOver { scheduler.begins(source) }
    }
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
    guard !source.handlers.isEmpty else { return }
    let work = unsafe ch_work(
      block: nil, function: { unsafe Scheduler.runEnd($0) }, context: source.address, queue: source.queue,
      group: nil, is_barrier: false)
    unsafe handedOver(work)
  }

  private static func runEnd(_ context: UnsafeMutableRawPointer?) {
    unsafe with(context) { _, source in
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
    if chooser.followsDependencies { unsafe uses(UInt(bitPattern: source.address), .exclusive) }
  }

  fileprivate func sourceHandles(_ address: UnsafeMutableRawPointer, _ work: ch_work, _ which: Int32) {
    guard let source = unsafe tables.sources[address] else { return unsafe ch_forget_work(work) }
    source.forget(which)
    if unsafe work.block != nil || work.function != nil {
      source.handlers[which] = unsafe TimerSources.Handler(work: work)
    }
  }

  fileprivate func sourceSet(_ address: UnsafeMutableRawPointer, _ delay: Int64, _ interval: Int64) {
    guard let source = unsafe tables.sources[address] else { return }
    source.deadline = delay == .max ? nil : now.addingClamped(delay)
    source.interval = interval
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
  _ scheduler: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ delay: Int64, _ interval: Int64
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.sourceSet(source, delay, interval) }
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
