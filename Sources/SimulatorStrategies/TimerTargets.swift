internal import SimulatorStrategyInterface

/// The random instants at which timers fire whose end is a range. Each timer gets an instant from its whole range when
/// it first comes up.
///
/// Of twelve timers, on average, one fires at its earliest end, one at its latest, and one at an instant that is uniform
/// over the range. Two fire at any stop of time with probability one half, because if a range is much longer than everything
/// else, an instant from it mostly comes too late to meet anything. Half of these fire together with what is due next, the
/// others before it. The other seven meet another timer, if one is set already that is due within the range: two thirds of
/// them fire together with it, the others just before it or just after what it sets free. Bugs need such coincidences far more
/// often than a uniform instant brings them about.
///
/// A choice is O(log n) amortized among n timers that were put off, and uses two random numbers on average: the timers
/// that fire at any stop each flip a coin in turn, until one fires.
struct TimerTargets {
  private struct Entry {
    let timer: Strategies.OpenTimer
    /// The instant to fire at, which is ignored for timers that fire at any stop.
    let at: VirtualInstant
    let isTogether: Bool

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      at != other.at ? at < other.at : timer.precedes(other.timer)
    }
  }

  /// The timers that fire at an instant, in a binary heap. Those that have fired otherwise are removed when they reach
  /// the top.
  private var instants: ContiguousArray<Entry> = []
  /// The timers that fire at any stop, from `head` on, in the order in which they were put off.
  private var anyStop: ContiguousArray<Entry> = []
  private var head = 0

  mutating func began() {
    instants.removeAll(keepingCapacity: true)
    anyStop.removeAll(keepingCapacity: true)
    head = 0
  }

  /// Returns the option that follows from the targets.
  mutating func pick(
    _ timers: Strategies.ChoicePoint.Timers, _ random: inout Strategies.SplitMix64, isNatural: Bool = false
  ) -> Int {
    if timers.isFirst { return putOff(timers, &random, isNatural) ? 1 : 0 }
    var best = earliest(timers)
    if timers.now < timers.next, best.map({ timers.now < $0.entry.at }) ?? true {
      best = anyStop(timers, &random) ?? best
    }
    guard let (index, entry) = best,
      entry.at < timers.next || (entry.isTogether && entry.at == timers.next)
    else { return 0 }
    // At its latest end, the timer fires with what is due there in any case.
    if entry.isTogether { return index < timers.together ? 1 + timers.alone + index : 0 }
    let first = timers.count - timers.alone
    return index < first ? 0 : 1 + index - first
  }

  /// Returns true if a timer whose earliest end has come does not fire yet.
  private mutating func putOff(
    _ timers: Strategies.ChoicePoint.Timers, _ random: inout Strategies.SplitMix64, _ isNatural: Bool
  ) -> Bool {
    if isNatural { return false }
    let timer = timers[0]
    var drawn = random.below(12)
    if drawn >= 5 {
      let others = timers.otherInstants
      if !others.isEmpty { return meet(others[random.below(others.count)], timer, &random) }
      drawn %= 5
    }
    let isTogether = random.next() & 1 == 0
    switch drawn {
    case 0: return false
    case 1: insert(Entry(timer: timer, at: timer.latest, isTogether: isTogether))
    case 2:
      let length = timer.latest.nanoseconds - timer.earliest.nanoseconds
      let at = VirtualInstant(nanoseconds: timer.earliest.nanoseconds + Int64(random.below(Int(length))))
      guard at > timer.earliest else { return false }
      insert(Entry(timer: timer, at: at, isTogether: isTogether))
    default: anyStop.append(Entry(timer: timer, at: timer.earliest, isTogether: isTogether))
    }
    return true
  }

  /// Makes the timer fire just before what is due at `instant`, together with it, or just after it.
  private mutating func meet(
    _ instant: VirtualInstant, _ timer: Strategies.OpenTimer, _ random: inout Strategies.SplitMix64
  ) -> Bool {
    let way = random.below(6)
    let at = way == 0 ? VirtualInstant(nanoseconds: instant.nanoseconds - 1) : instant
    guard at > timer.earliest else { return false }
    insert(Entry(timer: timer, at: at, isTogether: way >= 2))
    return true
  }

  /// Returns the timer with the earliest instant.
  private mutating func earliest(
    _ timers: Strategies.ChoicePoint.Timers
  ) -> (index: Int, entry: Entry)? {
    while let first = instants.first {
      // A timer that may not fire here is due in any case.
      if let index = timers.index(of: first.timer) { return (index, first) }
      let last = instants.removeLast()
      if !instants.isEmpty { sink(last) }
    }
    return nil
  }

  /// Returns the first timer that fires at any stop and wins its coin flip.
  private mutating func anyStop(
    _ timers: Strategies.ChoicePoint.Timers, _ random: inout Strategies.SplitMix64
  ) -> (index: Int, entry: Entry)? {
    var at = head
    while at < anyStop.count {
      guard let index = timers.index(of: anyStop[at].timer) else {
        let passed = at - head
        remove(at)
        at = head + passed
        continue
      }
      if random.next() & 1 == 0 {
        let entry = anyStop[at]
        return (index, Entry(timer: entry.timer, at: timers.now, isTogether: entry.isTogether))
      }
      at += 1
    }
    return nil
  }

  /// Removes the timer at `place`. O(1) if it is near the head.
  private mutating func remove(_ place: Int) {
    var index = place
    while index > head {
      anyStop[index] = anyStop[index - 1]
      index -= 1
    }
    head += 1
    guard head == anyStop.count || (head >= 64 && head * 2 >= anyStop.count) else { return }
    anyStop.removeFirst(head)
    head = 0
  }

  private mutating func insert(_ entry: Entry) {
    instants.append(entry)
    var index = instants.count - 1
    while index > 0 {
      let parent = (index - 1) >> 1
      guard entry.precedes(instants[parent]) else { break }
      instants[index] = instants[parent]
      index = parent
    }
    instants[index] = entry
  }

  /// Puts `entry` in place of the top and sinks it.
  private mutating func sink(_ entry: Entry) {
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < instants.count else { break }
      if child + 1 < instants.count, instants[child + 1].precedes(instants[child]) { child += 1 }
      guard instants[child].precedes(entry) else { break }
      instants[index] = instants[child]
      index = child
    }
    instants[index] = entry
  }
}
