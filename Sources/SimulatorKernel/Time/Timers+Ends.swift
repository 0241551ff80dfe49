// Which ends can come at the same instant: see ``TimerEnds``.

extension Timers {
  /// Notes what waits for the timer that the task is about to set.
  func note(_ subject: TimerEnds.Subject, task: Int32) {
    subjects.note(subject, order: nextOrder, task: task)
  }

  /// Follows the end of a range, and before that the timers that are due within it. O(m) if m timers are due before
  /// `latest`, of which it looks at some hundreds at most.
  func follow(order: UInt32, task: Int32, nth: UInt16, earliest: Int64, latest: Int64) {
    guard nth > 0, earliest < latest else { return }
    if !ends.isCut { followDue(from: earliest, to: latest) }
    ends.add(
      TimerEnds.End(
        order: order, task: task, nth: nth, earliest: earliest, latest: latest,
        subject: subjects.subject(order: order, task: task)))
  }

  private static let mostFollowed = 256

  /// Follows the timers in the heap that are due then.
  private func followDue(from earliest: Int64, to latest: Int64) {
    if count <= Self.mostFollowed {
      for index in 0..<count { followIfDue(index, from: earliest, to: latest) }
      return
    }
    var pending = [0]
    for _ in 0..<Self.mostFollowed {
      guard let index = pending.popLast() else { return }
      guard unsafe heap[index].deadline <= latest else { continue }
      followIfDue(index, from: earliest, to: latest)
      let child = index << 2 + 1
      pending += child..<max(child, min(child + 4, count))
    }
    if !pending.isEmpty { ends.cut() }
  }

  @inline(__always)
  private func followIfDue(_ index: Int, from earliest: Int64, to latest: Int64) {
    guard unsafe !heap[index].isFollowed, unsafe heap[index].nth > 0, unsafe heap[index].deadline >= earliest,
      unsafe heap[index].deadline <= latest, unsafe !dead.contains(heap[index].order)
    else { return }
    unsafe follow(&heap[index])
  }

  /// Follows the end of a timer that is no range.
  func follow(_ timer: inout Timer) {
    timer.isFollowed = true
    ends.add(
      TimerEnds.End(
        order: timer.order, task: timer.waiter, nth: timer.nth, earliest: timer.deadline,
        latest: timer.deadline, subject: subject(of: timer)))
  }

  private func subject(of timer: Timer) -> TimerEnds.Subject? {
    if unsafe timer.job == nil { return timer.task < 0 ? .wait : .work }
    return subjects.subject(order: timer.order, task: timer.waiter)
  }

  /// Notes that the end of a timer has come.
  @inline(__always)
  func come(_ timer: Timer, at now: Int64) {
    if timer.isFollowed { ends.come(timer.order, at: now) }
  }

  /// Notes that the end of a range has come before its timer was set.
  func come(_ order: UInt32, at now: Int64) { ends.come(order, at: now) }
}
