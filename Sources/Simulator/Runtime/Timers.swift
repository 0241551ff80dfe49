/// A job that becomes runnable at a moment.
@safe struct Timer {
  var deadline: Int64
  /// Breaks ties: timers due together fire in the order in which they were set.
  var order: UInt32
  var task: Int32
  /// Nil for work that takes time: then the task's own continuation is resumed. Nil, too, for the end of a wait in the middle
  /// of a step, which is no task's.
  var job: UnsafeMutableRawPointer?
  /// The task that sleeps until then; -1 where that is not known. For ``Timers/upcoming(_:)`` only.
  var sleeper: Int32 = -1
}

/// The waiting timers: a 4-ary heap, O(log n) to set and to fire.
///
/// A timer whose end is a range stands in the heap under its earliest end, and its range beside it. Was it put off then,
/// it is *open*, and stands in ``OpenTimers`` until it fires. Without ranges both are empty.
///
/// An unsafe buffer for the reason given in ``RunQueue``; every index is below `count`.
@safe final class Timers: ExecutionTable {
  private var heap: UnsafeMutablePointer<Timer>
  private var capacity = 64
  private(set) var count = 0
  private var nextOrder: UInt32 = 0
  /// Timers whose sleeper was woken by a cancel: they no longer count, and go when they come to the top.
  private var dead: Set<UInt32> = []
  /// The ranges of timers in the heap.
  private var ranges = TimerRanges()
  /// The ranges of timers that have been put off before they were set.
  private var reserved: ContiguousArray<TimerRange> = []
  /// The timers that were put off.
  private(set) var open = OpenTimers()

  init() {
    unsafe heap = .allocate(capacity: 64)
  }

  deinit {
    unsafe heap.deallocate()
  }

  /// The earliest deadline in the heap. There must be a timer in it.
  var earliest: Int64 { unsafe heap[0].deadline }

  var isEmpty: Bool { count == 0 && open.isEmpty }

  /// When time stops next: at the earliest deadline, or at the latest end of a timer that was put off.
  var next: Int64 {
    guard let first = open.earliest else { return earliest }
    return count > 0 ? min(earliest, first) : first
  }

  var isFresh: Bool {
    isEmpty && open.isFresh && nextOrder == 0 && dead.isEmpty && ranges.isEmpty && reserved.isEmpty
  }

  func removeAll() {
    count = 0
    nextOrder = 0
    if !dead.isEmpty { dead.removeAll() }
    if !ranges.isEmpty { ranges.removeAll() }
    if !reserved.isEmpty { reserved.removeAll(keepingCapacity: true) }
    if !open.isFresh { open.removeAll() }
  }

  /// No task waits any longer for the timer that ``set(_:deadline:task:)`` answered `order` for.
  func kill(_ order: UInt32) {
    dead.insert(order)
    open.kill(order)
  }

  /// No task waits any longer for the work of those that are `gone`. O(timers).
  func kill(where gone: (Int32) -> Bool) {
    for index in 0..<count where unsafe gone(heap[index].task) {
      unsafe dead.insert(heap[index].order)
    }
    for order in open.orders(where: gone) { kill(order) }
  }

  /// Whether the timer that ``set(_:deadline:task:)`` answered `order` for has not fired yet. O(timers).
  func isWaiting(_ order: UInt32) -> Bool {
    (0..<count).contains { unsafe heap[$0].order == order } || open.orders { _ in true }.contains(order)
  }

  /// Takes one out for which no task waits, where it is the earliest or open.
  func popDead() -> Timer? {
    guard !dead.isEmpty else { return nil }
    if let timer = open.takeDead() {
      dead.remove(timer.order)
      return timer
    }
    guard count > 0, dead.remove(unsafe heap[0].order) != nil else { return nil }
    let timer = popFirst()
    _ = takeRange(of: timer)
    return timer
  }

  /// Sets a timer; answers its order, by which it can be killed.
  @discardableResult
  func set(_ job: UnsafeMutableRawPointer?, deadline: Int64, task: Int32, sleeper: Int32 = -1) -> UInt32 {
    let timer = unsafe Timer(deadline: deadline, order: nextOrder, task: task, job: job, sleeper: sleeper)
    nextOrder += 1
    insert(timer)
    return timer.order
  }

  @inline(__always)
  private func insert(_ timer: Timer) {
    if count == capacity { grow() }
    var index = count
    count += 1
    while index > 0 {
      let parent = (index - 1) >> 2
      guard unsafe Self.precedes(timer, heap[parent]) else { break }
      unsafe heap[index] = heap[parent]
      index = parent
    }
    unsafe heap[index] = timer
  }

  /// Takes the earliest out; of several due together, the one set first.
  func popFirst() -> Timer {
    let first = unsafe heap[0]
    count -= 1
    guard count > 0 else { return first }
    let last = unsafe heap[count]
    var index = 0
    while true {
      let child = index << 2 + 1
      guard child < count else { break }
      var least = child
      for other in child + 1..<max(child + 1, min(child + 4, count))
      where unsafe Self.precedes(heap[other], heap[least]) { least = other }
      guard unsafe Self.precedes(heap[least], last) else { break }
      unsafe heap[index] = heap[least]
      index = least
    }
    unsafe heap[index] = last
    return first
  }

  /// Calls `body` with the timer that is next, and with those of which one is next but one.
  @inline(__always)
  func upcoming(_ body: (Timer, _ isNext: Bool) -> Void) {
    for index in 0..<min(5, count) { unsafe body(heap[index], index == 0) }
  }

  /// The earliest distinct deadlines strictly between `low` and `high`, ascending, at most `limit`.
  /// O(m log `limit`) where m timers are due before `high`.
  func deadlines(after low: Int64, before high: Int64, limit: Int) -> [Int64] {
    var found = open.latestEnds(after: low, before: high, limit: limit)
    var pending = count > 0 ? [0] : []
    while let index = pending.popLast() {
      let deadline = unsafe heap[index].deadline
      guard deadline < high else { continue }
      if found.count == limit, deadline >= found[limit - 1] { continue }
      let isDead = unsafe !dead.isEmpty && dead.contains(heap[index].order)
      if deadline > low, !isDead, !found.contains(deadline) {
        found.insert(deadline, at: found.firstIndex { $0 > deadline } ?? found.count)
        if found.count > limit { found.removeLast() }
      }
      let child = index << 2 + 1
      pending += child..<max(child, min(child + 4, count))
    }
    return found
  }

  // MARK: ranges

  /// A timer of `task` that is yet to be set has been put off already, by the choice at `position` or, where that is
  /// negative, with an earlier timer whose sleep went on.
  func reserve(_ range: TimerRange) { reserved.append(range) }

  /// The number of a timer that is yet to be set.
  func nextNumber() -> UInt32 {
    nextOrder += 1
    return nextOrder - 1
  }

  /// What was reserved for the next timer of `task`, asked for once.
  func takeReserved(_ task: Int32) -> TimerRange? {
    guard !reserved.isEmpty, let index = reserved.firstIndex(where: { $0.task == task }) else { return nil }
    return reserved.remove(at: index)
  }

  /// Sets a timer that fires at `earliest`, at `latest` or in between, for which `waiter` waits.
  func set(
    _ job: UnsafeMutableRawPointer?, earliest: Int64, latest: Int64, task: Int32, waiter: Int32, now: Int64
  ) -> UInt32 {
    let order = unsafe set(job, deadline: earliest, task: task)
    ranges.append(TimerRange(order: order, task: waiter, start: now, earliest: earliest, latest: latest))
    return order
  }

  /// The range of a timer that has left the heap, asked for once; nil when its end is an instant, or no task waits.
  func takeRange(of timer: Timer) -> TimerRange? {
    ranges.isEmpty ? nil : ranges.take(timer.order)
  }

  /// Whether no task waits any longer for a timer that has left the heap, asked for once.
  func takeDead(_ timer: Timer) -> Bool { !dead.isEmpty && dead.remove(timer.order) != nil }

  /// A timer is put off, of which strategies are told as `told`.
  func putOff(_ timer: Timer, _ range: TimerRange, as told: Strategies.OpenTimer) {
    open.insert(timer, range, as: told)
  }

  /// What the choice is about that comes before time moves to ``next``: ``OpenTimers/offered(now:next:_:_:)``.
  func offeredOpen<Result>(
    now: Int64, _ news: TimerRange.News, _ body: (Strategies.ChoicePoint.Timers) -> Result
  ) -> Result {
    open.offered(now: now, next: next, news, body)
  }

  /// Takes an open timer out.
  func takeOpen(_ timer: Strategies.OpenTimer) -> OpenTimers.Held? { open.take(timer) }

  /// Takes the open timer out whose latest end is the first, if that is not after `instant`.
  func takeOpen(dueAt instant: Int64) -> OpenTimers.Held? { open.take(dueAt: instant) }

  /// A timer that has been taken out fires at `instant`, together with those that are due then.
  func fix(_ timer: Timer, at instant: Int64) {
    var timer = timer
    timer.deadline = instant
    insert(timer)
  }

  // MARK: order

  @inline(__always)
  private static func precedes(_ a: Timer, _ b: Timer) -> Bool {
    a.deadline != b.deadline ? a.deadline < b.deadline : a.order < b.order
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Timer>.allocate(capacity: capacity * 2)
    unsafe larger.moveInitialize(from: heap, count: count)
    unsafe heap.deallocate()
    unsafe heap = larger
    capacity *= 2
  }
}
