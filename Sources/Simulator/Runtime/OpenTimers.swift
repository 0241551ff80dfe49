/// The timers that were put off and have not fired, by their latest end; of several with the same, the one set first.
///
/// To add one behind all others and to take the first is O(1) amortized. Elsewhere it is O(log n) to find the place, and what
/// stands behind it moves. What strategies are told of them stands in one piece, so that a choice costs no copy.
struct OpenTimers {
  typealias Held = (timer: Timer, range: TimerRange)

  /// In order, from `head` on.
  private var told: ContiguousArray<Strategies.OpenTimer> = []
  /// Where the timer itself is held, of each.
  private var slots: ContiguousArray<Int32> = []
  private var head = 0
  private var held: ContiguousArray<Held> = []
  private var free: ContiguousArray<Int32> = []
  /// Those for which no task waits any longer.
  private var dead: ContiguousArray<Strategies.OpenTimer> = []
  /// Those that were put off last, some of which may have fired, and how much had happened by then.
  private var recent: ContiguousArray<Strategies.OpenTimer> = []
  private var recentNews = News(0, -1)
  /// Room for what a choice is about where that is not the order here.
  private var inOrder: ContiguousArray<Strategies.OpenTimer> = []

  var isEmpty: Bool { head == told.count }
  var count: Int { told.count - head }
  var isFresh: Bool { isEmpty && held.isEmpty && recent.isEmpty }

  /// The first latest end.
  var earliest: Int64? { isEmpty ? nil : told[head].latest.nanoseconds }

  mutating func removeAll() {
    told.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    head = 0
    held.removeAll(keepingCapacity: true)
    free.removeAll(keepingCapacity: true)
    dead.removeAll(keepingCapacity: true)
    recent.removeAll(keepingCapacity: true)
  }

  /// Adds a timer of which strategies are told as `new`.
  mutating func insert(_ timer: Timer, _ range: TimerRange, as new: Strategies.OpenTimer) {
    let index = place(of: new)
    told.insert(new, at: index)
    if let slot = free.popLast() {
      held[Int(slot)] = (timer, range)
      slots.insert(slot, at: index)
    } else {
      slots.insert(Int32(held.count), at: index)
      held.append((timer, range))
    }
    guard range.news.steps >= 0 else { return }
    if range.news != recentNews { recent.removeAll(keepingCapacity: true) }
    recentNews = range.news
    recent.append(new)
  }

  /// Takes this one out, if it is here.
  mutating func take(_ timer: Strategies.OpenTimer) -> Held? {
    let index = place(of: timer)
    guard index < told.count, told[index].number == timer.number else { return nil }
    let slot = slots[index]
    free.append(slot)
    if index == head {
      dropFirst()
    } else {
      told.remove(at: index)
      slots.remove(at: index)
    }
    if !dead.isEmpty { dead.removeAll { $0.number == timer.number } }
    return held[Int(slot)]
  }

  /// Takes the first one out, if its latest end is not after `instant`.
  mutating func take(dueAt instant: Int64) -> Held? {
    guard let earliest, earliest <= instant else { return nil }
    return take(told[head])
  }

  private mutating func dropFirst() {
    head += 1
    guard head == told.count || (head >= 64 && head * 2 >= told.count) else { return }
    told.removeFirst(head)
    slots.removeFirst(head)
    head = 0
  }

  /// No task waits any longer for the timer of this order, if it is here. O(n).
  mutating func kill(_ order: UInt32) {
    if let timer = told[head...].first(where: { $0.number == order }) { dead.append(timer) }
  }

  /// Takes out the first for which no task waits.
  mutating func takeDead() -> Timer? {
    dead.min(by: Self.precedes).flatMap { take($0) }?.timer
  }

  /// The latest ends strictly between `low` and `high`, ascending and each once, at most `limit`.
  func latestEnds(after low: Int64, before high: Int64, limit: Int) -> [Int64] {
    var found: [Int64] = []
    for timer in told[head...] {
      let latest = timer.latest.nanoseconds
      guard found.count < limit, latest < high else { break }
      if latest > low, found.last != latest { found.append(latest) }
    }
    return found
  }

  private func place(of timer: Strategies.OpenTimer) -> Int { place { !Self.precedes($0, timer) } }

  /// The first index at which `isBehind` holds, which holds of all further ones too.
  @inline(__always)
  private func place(where isBehind: (Strategies.OpenTimer) -> Bool) -> Int {
    var low = head
    var high = told.count
    while low < high {
      let middle = (low + high) >> 1
      if isBehind(told[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func precedes(_ a: Strategies.OpenTimer, _ b: Strategies.OpenTimer) -> Bool {
    (a.latest.nanoseconds, a.number) < (b.latest.nanoseconds, b.number)
  }
}

// MARK: - What a choice is about

extension OpenTimers {
  typealias News = TimerRange.News

  /// Where those of `timers` stand that are here, ascending.
  private func indices(of timers: ContiguousArray<Strategies.OpenTimer>) -> [Int] {
    timers.compactMap { timer in
      let index = place(of: timer)
      return index < told.count && told[index].number == timer.number ? index : nil
    }.sorted()
  }

  /// Appends those of `range` that are not at one of the ascending `indices`.
  private func append(
    _ range: Range<Int>, without indices: [Int], to order: inout ContiguousArray<Strategies.OpenTimer>
  ) {
    var from = range.lowerBound
    for index in indices where range.contains(index) {
      order.append(contentsOf: told[from..<index])
      from = index + 1
    }
    order.append(contentsOf: told[from..<range.upperBound])
  }

  /// Hands over what the choice is about that comes before time moves to `next`: with how many of them, in which order, says
  /// ``Strategies/ChoicePoint/Timers``.
  mutating func offered<Result>(
    now: Int64, next: Int64, _ news: News, _ body: (Strategies.ChoicePoint.Timers) -> Result
  ) -> Result {
    let due = place { $0.latest.nanoseconds > next }
    // Where nothing has happened since its earliest end, to fire is what was declined there.
    let declined = recentNews == news ? indices(of: recent) : []
    let (alone, together) = (count - declined.count, told.count - due)
    func timers(
      _ first: UnsafeBufferPointer<Strategies.OpenTimer>, _ last: UnsafeBufferPointer<Strategies.OpenTimer>
    ) -> Strategies.ChoicePoint.Timers {
      unsafe Strategies.ChoicePoint.Timers(
        at: first, and: last, now: now, next: next, alone: alone, together: together, isFirst: false)
    }
    guard declined.isEmpty else {
      var order: ContiguousArray<Strategies.OpenTimer> = []
      swap(&order, &inOrder)
      defer { swap(&order, &inOrder) }
      order.removeAll(keepingCapacity: true)
      for index in declined where index >= due { order.append(told[index]) }
      append(due..<told.count, without: declined, to: &order)
      append(head..<due, without: declined, to: &order)
      return unsafe order.withUnsafeBufferPointer { order in
        body(unsafe timers(order, UnsafeBufferPointer(rebasing: order[order.count...])))
      }
    }
    return unsafe told.withUnsafeBufferPointer { told in
      body(
        unsafe timers(
          UnsafeBufferPointer(rebasing: told[due...]), UnsafeBufferPointer(rebasing: told[head..<due])))
    }
  }
}
