/// When timers fire whose end is a range, where that is left to chance: an instant is drawn for each when it first comes
/// up, from the whole range.
///
/// Of five, one fires at the earliest end, one at the latest, one at an instant at which every moment of the range is
/// equally likely, and two at any stop of time with probability one half: where a range is long beside all that happens, an
/// instant out of it mostly comes too late to meet anything. Half of them fire together with what is due next, the others
/// before.
///
/// A choice is O(log n) amortized among n timers that were put off, and two draws on average: a coin is drawn for one after
/// another of those that fire at any stop, until one fires.
struct TimerTargets {
  private struct Entry {
    let timer: Strategies.OpenTimer
    /// Ignored of those that fire at any stop.
    let at: VirtualInstant
    let isTogether: Bool

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      at != other.at ? at < other.at : timer.precedes(other.timer)
    }
  }

  /// Those that fire at an instant: a binary heap. Those that have fired otherwise go when they come to the top.
  private var instants: ContiguousArray<Entry> = []
  /// Those that fire at any stop, from `head` on, in the order in which they were put off.
  private var anyStop: ContiguousArray<Entry> = []
  private var head = 0

  mutating func began() {
    instants.removeAll(keepingCapacity: true)
    anyStop.removeAll(keepingCapacity: true)
    head = 0
  }

  /// The option that the targets come to.
  mutating func pick(
    _ timers: Strategies.ChoicePoint.Timers, _ random: inout Strategies.SplitMix64, isNatural: Bool = false
  ) -> Int {
    if timers.isFirst { return putOff(timers[0], &random, isNatural) ? 1 : 0 }
    var best = earliest(timers)
    if timers.now < timers.next, best.map({ timers.now < $0.entry.at }) ?? true {
      best = anyStop(timers, &random) ?? best
    }
    guard let (index, entry) = best, entry.at < timers.next else { return 0 }
    // At its latest end it fires with what is due there in any case.
    if entry.isTogether { return index < timers.together ? 1 + timers.alone + index : 0 }
    let first = timers.count - timers.alone
    return index < first ? 0 : 1 + index - first
  }

  /// Whether a timer whose earliest end has come does not fire yet.
  private mutating func putOff(
    _ timer: Strategies.OpenTimer, _ random: inout Strategies.SplitMix64, _ isNatural: Bool
  ) -> Bool {
    let drawn = isNatural ? 0 : random.below(5)
    var at = timer.earliest
    switch drawn {
    case 0, 2, 3: break
    case 1: at = timer.latest
    default:
      let length = timer.latest.nanoseconds - timer.earliest.nanoseconds
      at = VirtualInstant(nanoseconds: timer.earliest.nanoseconds + Int64(random.below(Int(length))))
    }
    let entry = Entry(timer: timer, at: at, isTogether: random.next() & 1 == 0)
    if drawn == 2 || drawn == 3 {
      anyStop.append(entry)
    } else if at > timer.earliest {
      insert(entry)
    } else {
      return false
    }
    return true
  }

  /// The one with the earliest instant.
  private mutating func earliest(
    _ timers: Strategies.ChoicePoint.Timers
  ) -> (index: Int, entry: Entry)? {
    while let first = instants.first {
      // One that may not fire here is due in any case.
      if let index = timers.index(of: first.timer) { return (index, first) }
      let last = instants.removeLast()
      if !instants.isEmpty { sink(last) }
    }
    return nil
  }

  /// The first of those that fire at any stop whose coin falls so.
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

  /// O(1) for one near the head.
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

  /// Puts `entry` in the place of the top and lets it sink.
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
