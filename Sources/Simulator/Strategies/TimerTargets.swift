/// When timers fire whose end is a range, where that is left to chance: an instant is drawn for each when it first comes
/// up, from the whole range, and kept by its number.
///
/// Of five, one fires at the earliest end, one at the latest, one at an instant at which every moment of the range is
/// equally likely, and two at any stop of time with probability one half: where a range is long beside all that happens, an
/// instant out of it mostly comes too late to meet anything. Half of them fire together with what is due next, the others
/// before.
struct TimerTargets {
  private enum Target {
    case at(VirtualInstant)
    case anyStop
  }

  private struct Entry {
    let target: Target
    let isTogether: Bool
  }

  private var entries: ContiguousArray<Entry> = []
  /// Where the entry of each timer is, by its number; -1 for none.
  private var places: ContiguousArray<Int32> = []

  mutating func began() {
    guard !entries.isEmpty else { return }
    entries.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  /// The option that the targets come to.
  mutating func pick(
    _ timers: Strategies.ChoicePoint.Timers, _ random: inout Strategies.SplitMix64, isNatural: Bool = false
  ) -> Int {
    if timers.isFirst {
      let timer = timers[0]
      let target = isNatural ? .at(timer.earliest) : draw(timer, &random)
      add(Entry(target: target, isTogether: random.next() & 1 == 0), timer.number)
      if case .at(timer.earliest) = target { return 0 }
      return 1
    }
    var best: (index: Int, at: VirtualInstant)?
    for index in 0..<timers.count {
      let at = moment(timers[index], timers, &random)
      if at < timers.next, best.map({ at < $0.at }) ?? true { best = (index, at) }
    }
    guard let index = best?.index else { return 0 }
    // At its latest end it fires with what is due there in any case.
    let isTogether = entry(timers[index])?.isTogether ?? false
    if isTogether { return index < timers.together ? 1 + timers.alone + index : 0 }
    let first = timers.count - timers.alone
    return index < first ? 0 : 1 + index - first
  }

  private func draw(_ timer: Strategies.OpenTimer, _ random: inout Strategies.SplitMix64) -> Target {
    switch random.below(5) {
    case 0: return .at(timer.earliest)
    case 1: return .at(timer.latest)
    case 2, 3: return .anyStop
    default:
      let length = timer.latest.nanoseconds - timer.earliest.nanoseconds
      let offset = Int64(random.below(Int(length)))
      return .at(VirtualInstant(nanoseconds: timer.earliest.nanoseconds + offset))
    }
  }

  private func moment(
    _ timer: Strategies.OpenTimer, _ timers: Strategies.ChoicePoint.Timers,
    _ random: inout Strategies.SplitMix64
  ) -> VirtualInstant {
    switch entry(timer)?.target {
    case .at(let instant): instant
    case .anyStop: random.next() & 1 == 0 ? timers.now : timer.latest
    case nil: timer.latest
    }
  }

  private mutating func add(_ entry: Entry, _ number: UInt32) {
    while places.count <= Int(number) { places.append(-1) }
    places[Int(number)] = Int32(entries.count)
    entries.append(entry)
  }

  @inline(__always)
  private func entry(_ timer: Strategies.OpenTimer) -> Entry? {
    guard Int(timer.number) < places.count, places[Int(timer.number)] >= 0 else { return nil }
    return entries[Int(places[Int(timer.number)])]
  }
}
