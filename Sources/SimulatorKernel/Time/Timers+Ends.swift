// Which ends can come at the same instant: see ``TimerEnds``.

extension Timers {
  /// Notes what waits for the timer that the task is about to set.
  func note(_ subject: TimerEnds.Subject, task: Int32) {
    subjects.note(subject, order: nextOrder, task: task)
  }

  /// Follows the end of a range, and before that the timers that are due within it. O(m log n) if m timers are due before
  /// `latest`, of which it looks at some hundreds at most.
  func follow(order: UInt32, task: Int32, nth: UInt16, earliest: Int64, latest: Int64) {
    guard nth > 0, earliest < latest else { return }
    var left = Self.mostFollowed
    if !ends.isCut { followDue(from: earliest, to: latest, below: 0, &left) }
    if left == 0 { ends.cut() }
    ends.add(
      TimerEnds.End(
        order: order, task: task, nth: nth, earliest: earliest, latest: latest,
        subject: subjects.subject(order: order, task: task)))
  }

  private static let mostFollowed = 256

  /// Follows the timers in the heap, from `index` down, that are due then.
  private func followDue(from earliest: Int64, to latest: Int64, below index: Int, _ left: inout Int) {
    guard index < count, left > 0, unsafe heap[index].deadline <= latest else { return }
    left -= 1
    if unsafe heap[index].deadline >= earliest, unsafe !heap[index].isFollowed, unsafe heap[index].nth > 0,
      unsafe !dead.contains(heap[index].order)
    {
      unsafe follow(&heap[index])
    }
    for child in index << 2 + 1...index << 2 + 4 {
      followDue(from: earliest, to: latest, below: child, &left)
    }
  }

  /// Follows the end of a timer that is no range.
  func follow(_ timer: inout Timer) {
    timer.isFollowed = true
    ends.add(
      TimerEnds.End(
        order: timer.order, task: timer.waiter, nth: timer.nth, earliest: timer.deadline,
        latest: timer.deadline, subject: subjects.subject(order: timer.order, task: timer.waiter)))
  }

  /// Notes that the end of a timer has come.
  @inline(__always)
  func come(_ timer: Timer, at now: Int64) {
    if timer.isFollowed { ends.come(timer.order, at: now) }
  }

  /// Notes that the end of a range has come before its timer was set.
  func come(_ order: UInt32, at now: Int64) { ends.come(order, at: now) }
}
