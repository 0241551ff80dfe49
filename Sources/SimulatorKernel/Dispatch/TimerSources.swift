internal import CConcurrencyHooks

/// When the time of a delayed block or a timer source was set, and by which clock.
///
/// Two such times that are the same virtual instant come in any order if they belong to different clocks: Dispatch then looks at
/// all that is due by one clock before the other. So do two times that are one value. In virtual time, though, a clock shows the
/// same at each reading of one instant, and in reality the later reading is the later time. So the values count as one only where
/// no clock had been read more than once.
struct TimerStamp {
  /// The number of readings of clocks before.
  let readings: UInt64
  let isCalendar: Bool

  func isOrdered(with other: TimerStamp) -> Bool {
    isCalendar == other.isCalendar && max(readings, other.readings) > 1
  }
}

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
    /// How that time was set.
    var stamp: TimerStamp?
    /// True if it has fired beside others that were due then, in any order.
    var isFree = false
    /// True until the program activates or resumes it.
    var isInactive = true
    var suspensions = 0
    var hasBegun = false
    var isCancelled = false
    /// True if the program holds no reference to it anymore.
    var isReleased = false
    /// True if it has been cancelled or released, and its queue does what is left to do.
    var isEnding = false
    /// True while its handler for events runs. No other handler of the source runs meanwhile, whatever its queue is.
    var isHandling = false
    /// The pending timer.
    var timer: UInt32?
    /// How often it has fired since its handler was last called, and before that call.
    var events: UInt = 0, data: UInt = 0
    /// True if its handler is on its way, or runs.
    var isBusy = false
    /// The task that is to call it.
    var caller: Int32?
    /// True if the handler could have begun before the source was canceled.
    var mayHaveBegun = false

    init(_ address: UnsafeMutableRawPointer, queue: UnsafeMutableRawPointer) {
      unsafe self.address = address
      unsafe self.queue = queue
    }

    var isStopped: Bool { suspensions > 0 || isInactive }
    /// True if it never fires again.
    var isOver: Bool { isCancelled || isReleased }
    /// True if its handler is to be called.
    var isOwed: Bool { events > 0 && !isOver && !isStopped }

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
