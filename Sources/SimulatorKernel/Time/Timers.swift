internal import SimulatorCore
internal import SimulatorStrategyInterface

/// A job that becomes runnable at a moment.
@safe struct Timer {
  var deadline: Int64
  /// Breaks ties: timers due together fire in the order in which they were set.
  var order: UInt32
  var task: Int32
  /// Nil for work that takes time: the timer then resumes the task's own continuation. Also nil for the end of a wait
  /// in the middle of a step, which belongs to no task.
  var job: UnsafeMutableRawPointer?
  /// The task that sleeps until then; -1 if unknown. For ``Timers/upcoming(_:)`` only.
  var sleeper: Int32 = -1
  /// Its number among the timers of the task that waits for it, from 1; 0 if that is unknown.
  var nth: UInt16 = 0
  /// True if ``TimerEnds`` follows its end.
  var isFollowed = false

  /// The task that waits for it; -1 if unknown.
  var waiter: Int32 { task >= 0 ? task : sleeper }
}

/// The waiting timers: a 4-ary heap, O(log n) to set and to fire.
///
/// A timer whose end is a range is in the heap with its earliest end, and its range is kept beside it. If it is put off
/// then, it is *open*, and is in ``OpenTimers`` until it fires. Without ranges, both are empty.
///
/// An unsafe buffer for the reason given in ``RunQueue``; every index is below `count`.
@safe final class Timers: ExecutionTable {
  private(set) var heap: UnsafeMutablePointer<Timer>
  private var capacity = 64
  private(set) var count = 0
  private(set) var nextOrder: UInt32 = 0
  /// The timers whose sleeper was woken by a cancel. They no longer count, and are removed when they reach the top.
  private(set) var dead: Set<UInt32> = []
  /// The ranges of timers in the heap.
  private var ranges = TimerRanges()
  /// The ranges of timers that were put off before they were set.
  private var reserved: ContiguousArray<TimerRange> = []
  /// The timers that were put off.
  private(set) var open = OpenTimers()
  /// The ends that can come at the same instant.
  var ends = TimerEnds()
  var subjects = TimerSubjects()

  init() {
    unsafe heap = .allocate(capacity: 64)
  }

  deinit {
    unsafe heap.deallocate()
  }

  /// The earliest deadline in the heap. There must be a timer in it.
  var earliest: Int64 { unsafe heap[0].deadline }

  var isEmpty: Bool { count == 0 && open.isEmpty }

  /// True if another timer in the heap is due when the first one is.
  var severalAreDueFirst: Bool {
    // The second of them is a child of the root.
    for index in 1..<max(1, min(5, count)) where unsafe heap[index].deadline == earliest { return true }
    return false
  }

  /// The next instant at which time stops: the earliest deadline, or the latest end of a timer that was put off.
  var next: Int64 {
    guard let first = open.earliest else { return earliest }
    return count > 0 ? min(earliest, first) : first
  }

  var isFresh: Bool {
    isEmpty && open.isFresh && nextOrder == 0 && dead.isEmpty && ranges.isEmpty && reserved.isEmpty
      && !ends.isInUse && subjects.isEmpty
  }

  func removeAll() {
    count = 0
    nextOrder = 0
    if !dead.isEmpty { dead.removeAll() }
    if !ranges.isEmpty { ranges.removeAll() }
    if !reserved.isEmpty { reserved.removeAll(keepingCapacity: true) }
    if !open.isFresh { open.removeAll() }
    ends.removeAll()
    subjects.removeAll()
  }

  /// Notes that no task waits any longer for the timer for which ``set(_:deadline:task:)`` returned `order`.
  func kill(_ order: UInt32) {
    dead.insert(order)
    open.kill(order)
    if ends.isInUse { ends.kill(order) }
  }

  /// Notes that no task waits any longer for the timers of those that are `gone`. O(timers).
  func kill(where gone: (Int32) -> Bool) {
    for index in 0..<count where unsafe gone(heap[index].task) {
      unsafe dead.insert(heap[index].order)
      if ends.isInUse { unsafe ends.kill(heap[index].order) }
    }
    for order in open.orders(where: gone) { kill(order) }
  }

  /// Returns true if the timer for which ``set(_:deadline:task:)`` returned `order` has not fired yet. O(timers).
  func isWaiting(_ order: UInt32) -> Bool {
    (0..<count).contains { unsafe heap[$0].order == order } || open.orders { _ in true }.contains(order)
  }

  /// Removes and returns a timer for which no task waits, if it is the earliest or open.
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

  /// Sets a timer, the `nth` of the task that waits for it. Returns its order, by which it can be killed.
  @discardableResult
  func set(
    _ job: UnsafeMutableRawPointer?, deadline: Int64, task: Int32, sleeper: Int32 = -1, nth: UInt16 = 0
  ) -> UInt32 {
    var timer = unsafe Timer(
      deadline: deadline, order: nextOrder, task: task, job: job, sleeper: sleeper, nth: nth)
    nextOrder += 1
    if ends.isInUse, nth > 0, ends.hasRange(around: deadline) { follow(&timer) }
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

  /// Removes and returns the earliest timer; of several due together, the one set first.
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

  /// Calls `body` with the next timer, and with up to four others, of which one comes after it.
  @inline(__always)
  func upcoming(_ body: (Timer, _ isNext: Bool) -> Void) {
    for index in 0..<min(5, count) { unsafe body(heap[index], index == 0) }
  }

  /// Returns the earliest distinct deadlines strictly between `low` and `high`, ascending, at most `limit`. O(m log
  /// `limit`) if m timers are due before `high`.
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

  /// Returns the timers in the heap that are due at `instant` or before, and for which a task still waits. O(m) if there are m.
  func due(at instant: Int64) -> [Timer] {
    var found: [Timer] = []
    var pending = count > 0 ? [0] : []
    while let index = pending.popLast() {
      let timer = unsafe heap[index]
      guard timer.deadline <= instant else { continue }
      if !dead.contains(timer.order) { found.append(timer) }
      let child = index << 2 + 1
      pending += child..<max(child, min(child + 4, count))
    }
    return found
  }

  // MARK: ranges

  /// Reserves the range of a timer that the task is yet to set, and that was put off already: by the choice at
  /// `position` or, if that is negative, with an earlier timer whose sleep goes on.
  func reserve(_ range: TimerRange) { reserved.append(range) }

  /// Returns the number of a timer that is yet to be set.
  func nextNumber() -> UInt32 {
    nextOrder += 1
    return nextOrder - 1
  }

  /// Returns, once, the range reserved for the next timer of `task`.
  func takeReserved(_ task: Int32) -> TimerRange? {
    guard !reserved.isEmpty, let index = reserved.firstIndex(where: { $0.task == task }) else { return nil }
    return reserved.remove(at: index)
  }

  /// Sets a timer that fires at `earliest`, at `latest` or in between. The task `waiter` waits for it.
  func set(
    _ job: UnsafeMutableRawPointer?, earliest: Int64, latest: Int64, task: Int32, waiter: Int32, now: Int64
  ) -> UInt32 {
    let order = nextNumber()
    unsafe insert(Timer(deadline: earliest, order: order, task: task, job: job, isFollowed: true))
    ranges.append(TimerRange(order: order, task: waiter, start: now, earliest: earliest, latest: latest))
    return order
  }

  /// Returns, once, the range of a timer that has left the heap. Nil if its end is an instant, or if no task waits.
  func takeRange(of timer: Timer) -> TimerRange? {
    ranges.isEmpty ? nil : ranges.take(timer.order)
  }

  /// Returns true, once, if no task waits any longer for a timer that has left the heap.
  func takeDead(_ timer: Timer) -> Bool { !dead.isEmpty && dead.remove(timer.order) != nil }

  /// Puts a timer off. Strategies see it as `told`.
  func putOff(_ timer: Timer, _ range: TimerRange, as told: Strategies.OpenTimer) {
    open.insert(timer, range, as: told)
  }

  /// Calls `body` with what the choice before time moves to ``next`` is about: see ``OpenTimers/offered(now:next:_:_:)``.
  func offeredOpen<Result>(
    now: Int64, _ news: TimerRange.News, _ body: (Strategies.ChoicePoint.Timers) -> Result
  ) -> Result {
    open.offered(now: now, next: next, news, body)
  }

  /// Removes and returns an open timer.
  func takeOpen(_ timer: Strategies.OpenTimer) -> OpenTimers.Held? { open.take(timer) }

  /// Removes and returns the open timer with the earliest latest end, if that is not after `instant`.
  func takeOpen(dueAt instant: Int64) -> OpenTimers.Held? { open.take(dueAt: instant) }

  /// Puts back a timer that was taken out, to fire at `instant` with those that are due then.
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

  /// Traps if a timer stands before one that is due earlier. O(timers).
  func _checkInvariants() {
    precondition(count <= capacity)
    for index in 0..<count where index > 0 {
      precondition(unsafe Self.precedes(heap[(index - 1) >> 2], heap[index]))
    }
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Timer>.allocate(capacity: capacity * 2)
    unsafe larger.moveInitialize(from: heap, count: count)
    unsafe heap.deallocate()
    unsafe heap = larger
    capacity *= 2
  }
}
