internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The timers that were put off and have not fired, by latest end; of several with the same latest end, the one set
/// first comes first.
///
/// Adding or removing a timer costs what it does in ``OpenTimerList``. A choice uses the list in place, without a copy.
struct OpenTimers {
  typealias Held = (timer: Timer, range: TimerRange)

  /// The timers as strategies see them, each with the index in `held` of the timer itself.
  private var told = OpenTimerList()
  private var held: ContiguousArray<Held> = []
  private var free: ContiguousArray<Int32> = []
  /// The timers that no task waits for any longer.
  private var dead: ContiguousArray<Strategies.OpenTimer> = []
  /// The timers that were put off last, some of which may have fired. `recentNews` is how much had happened by then.
  private var recent: ContiguousArray<Strategies.OpenTimer> = []
  private var recentNews = News(0, -1)
  /// The ranks of the recent timers in a choice. Kept here only to reuse the memory.
  private var declined: ContiguousArray<Int> = []

  // Stored, since time asks for them at every stop, and to ask the list would copy all of this.
  private(set) var isEmpty = true
  private var firstEnd = Int64.max

  var count: Int { told.count }
  var isFresh: Bool { isEmpty && held.isEmpty && recent.isEmpty }

  /// The earliest of the latest ends.
  var earliest: Int64? { isEmpty ? nil : firstEnd }

  private mutating func noteFirst() {
    let first = told.first
    isEmpty = first == nil
    firstEnd = first?.latest.nanoseconds ?? .max
  }

  mutating func removeAll() {
    told.removeAll()
    noteFirst()
    held.removeAll(keepingCapacity: true)
    free.removeAll(keepingCapacity: true)
    dead.removeAll(keepingCapacity: true)
    recent.removeAll(keepingCapacity: true)
  }

  /// Adds a timer that strategies see as `new`.
  mutating func insert(_ timer: Timer, _ range: TimerRange, as new: Strategies.OpenTimer) {
    if let slot = free.popLast() {
      held[Int(slot)] = (timer, range)
      told.insert((new, slot))
    } else {
      told.insert((new, Int32(held.count)))
      held.append((timer, range))
    }
    noteFirst()
    guard range.news.steps >= 0 else { return }
    if range.news != recentNews { recent.removeAll(keepingCapacity: true) }
    recentNews = range.news
    recent.append(new)
  }

  /// Removes and returns this timer, if it is here.
  mutating func take(_ timer: Strategies.OpenTimer) -> Held? {
    guard let slot = told.remove(timer) else { return nil }
    noteFirst()
    free.append(slot)
    if !dead.isEmpty { dead.removeAll { $0.number == timer.number } }
    return held[Int(slot)]
  }

  /// Removes and returns the first timer, if its latest end is not after `instant`.
  mutating func take(dueAt instant: Int64) -> Held? {
    guard !isEmpty, firstEnd <= instant, let first = told.first else { return nil }
    return take(first)
  }

  /// Notes that no task waits any longer for the timer of this order, if it is here. O(n).
  mutating func kill(_ order: UInt32) {
    told.forEach(after: .min) { timer in
      if timer.number == order { dead.append(timer) }
      return timer.number != order
    }
  }

  /// Returns the orders of the timers whose waiting task `matches`. O(n).
  func orders(where matches: (Int32) -> Bool) -> [UInt32] {
    held.indices.filter { !free.contains(Int32($0)) }.map { held[$0].timer }
      .filter { matches($0.task) }.map(\.order)
  }

  /// Removes and returns the first timer that no task waits for.
  mutating func takeDead() -> Timer? {
    dead.min { $0.precedes($1) }.flatMap { take($0) }?.timer
  }

  /// Returns the latest ends strictly between `low` and `high`, ascending and without duplicates, at most `limit`.
  func latestEnds(after low: Int64, before high: Int64, limit: Int) -> [Int64] {
    var found: [Int64] = []
    guard limit > 0 else { return found }
    told.forEach(after: low) { timer in
      let latest = timer.latest.nanoseconds
      guard latest < high else { return false }
      if found.last != latest { found.append(latest) }
      return found.count < limit
    }
    return found
  }
}

// MARK: - What a choice is about

extension OpenTimers {
  typealias News = TimerRange.News

  /// Passes `body` the timers for the choice that comes before time moves to `next`. ``Strategies/ChoicePoint/Timers``
  /// describes how many there are, and their order.
  mutating func offered<Result>(
    now: Int64, next: Int64, _ news: News, _ body: (Strategies.ChoicePoint.Timers) -> Result
  ) -> Result {
    declined.removeAll(keepingCapacity: true)
    // If nothing has happened since a timer's earliest end, firing it now is what was declined there.
    if recentNews == news {
      for timer in recent { if let rank = told.rank(of: timer) { declined.append(rank) } }
      declined.sort()
    }
    let due = told.count(endingBy: next)
    return unsafe withUnsafePointer(to: told) { told in
      unsafe declined.withUnsafeBufferPointer { declined in
        body(
          unsafe Strategies.ChoicePoint.Timers(
            in: told, declined: declined, due: due, now: now, next: next))
      }
    }
  }
}
