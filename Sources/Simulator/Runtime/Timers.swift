/// A job that becomes runnable at a moment.
@safe struct Timer {
  var deadline: Int64
  /// Breaks ties: timers due together fire in the order in which they were set.
  var order: UInt32
  var task: Int32
  /// Nil for work that takes time: then the task's own continuation is resumed.
  var job: UnsafeMutableRawPointer?
}

/// The waiting timers: a 4-ary heap, O(log n) to set and to fire.
///
/// An unsafe buffer for the reason given in ``RunQueue``; every index is below `count`.
@safe final class Timers: ExecutionTable {
  private var heap: UnsafeMutablePointer<Timer>
  private var capacity = 64
  private(set) var count = 0
  private var nextOrder: UInt32 = 0
  /// Timers whose sleeper was woken by a cancel: they no longer count, and go when they come to the top.
  private var dead: Set<UInt32> = []
  private var hasDead = false

  init() {
    unsafe heap = .allocate(capacity: 64)
  }

  deinit {
    unsafe heap.deallocate()
  }

  /// The earliest deadline. There must be a timer.
  var earliest: Int64 { unsafe heap[0].deadline }

  var isFresh: Bool { count == 0 && nextOrder == 0 && dead.isEmpty }

  func removeAll() {
    count = 0
    nextOrder = 0
    if hasDead { dead.removeAll() }
    hasDead = false
  }

  /// No task waits any longer for the timer that ``set(_:deadline:task:)`` answered `order` for.
  func kill(_ order: UInt32) {
    dead.insert(order)
    hasDead = true
  }

  /// Takes the earliest out if no task waits for it.
  func popDead() -> Timer? {
    guard hasDead, count > 0, dead.remove(unsafe heap[0].order) != nil else { return nil }
    return popFirst()
  }

  /// Sets a timer; answers its order, by which it can be killed.
  @discardableResult
  func set(_ job: UnsafeMutableRawPointer?, deadline: Int64, task: Int32) -> UInt32 {
    if count == capacity { grow() }
    let timer = unsafe Timer(deadline: deadline, order: nextOrder, task: task, job: job)
    nextOrder += 1
    var index = count
    count += 1
    while index > 0 {
      let parent = (index - 1) >> 2
      guard unsafe Self.precedes(timer, heap[parent]) else { break }
      unsafe heap[index] = heap[parent]
      index = parent
    }
    unsafe heap[index] = timer
    return timer.order
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

  /// The earliest distinct deadlines strictly between `low` and `high`, ascending, at most `limit`.
  /// O(m log `limit`) where m timers are due before `high`.
  func deadlines(after low: Int64, before high: Int64, limit: Int) -> [Int64] {
    var found: [Int64] = []
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
