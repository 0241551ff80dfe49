/// The pairs of ends that the executions of a search have shown: see ``TimerEnds``.
///
/// An end is known by the path of its task and by its number among the timers of the task, which are the same in every
/// execution. An execution that shows nothing new costs a lookup for each end and a comparison for each pair.
package struct EndPairs: Sendable {
  /// Two ends of which at least one is a range, and which were pending at the same time.
  package struct Pair: Codable, Hashable, Sendable {
    /// The lower of the two hashes.
    package let one: UInt64
    package let other: UInt64
    /// What a report calls the two.
    package let names: [String]
    /// True if they have come at the same instant.
    package let haveMet: Bool
  }

  /// What an execution has shown that no earlier one had.
  package struct News: Codable, Sendable {
    package var pairs: [Pair] = []
    /// True if there were ends that could not be followed, and this was not known.
    package var isCut = false
    /// True if it is the first that has a range.
    package var isFirst = false
    package var isEmpty: Bool { pairs.isEmpty && !isCut && !isFirst }
  }

  /// The largest number of ends, and of pairs, that are kept.
  static let mostEnds = 256
  package static let most = 1_024

  private enum State { static let possible: UInt8 = 1, met: UInt8 = 2 }

  private var places: [UInt64: Int] = [:]
  private var ends: [(key: UInt64, name: String)] = []
  /// The state of each pair, at the place of the end that was seen first and of the other; empty if there is no pair.
  private var states: [UInt8] = []
  private var count = 0
  /// True if an execution has had a range.
  private(set) var isInUse = false
  /// The place of the end in each slot of the execution that is added; -1 if there is no room for it.
  private var placed = [Int](repeating: -1, count: TimerEnds.most)
  /// True if there were ends or pairs that are not kept.
  package private(set) var isCut = false

  package init() {}

  /// The pairs that are kept, in the order of their hashes.
  package var all: [Pair] {
    var found: [Pair] = []
    for one in ends.indices {
      for other in ends.indices.dropFirst(one + 1) where states[Self.index(one, other)] > 0 {
        found.append(pair(one, other))
      }
    }
    return found.sorted { ($0.one, $0.other) < ($1.one, $1.other) }
  }

  /// Adds the pairs of an execution. Returns what is new.
  mutating func add(
    _ shown: TimerEnds, key: (TimerEnds.End) -> UInt64, name: (TimerEnds.End) -> String
  ) -> News {
    var news = News(isFirst: !isInUse)
    isInUse = true
    if shown.isCut { cut(&news) }
    var slots = shown.paired
    while let slot = slots.takeLowest() {
      let end = shown.ends[slot]
      placed[slot] = place(of: key(end)) { name(end) } ?? -1
    }
    slots = shown.paired
    while let slot = slots.takeLowest() {
      let (one, met) = (placed[slot], shown.met[slot])
      var others = shown.partners[slot]
      while let other = others.takeLowest() {
        let two = placed[other]
        guard one >= 0, two >= 0 else {
          cut(&news)
          continue
        }
        let state = met >> UInt64(other) & 1 == 1 ? State.met : State.possible
        if states[Self.index(min(one, two), max(one, two))] >= state { continue }
        if set(one, two, state, &news) { news.pairs.append(pair(min(one, two), max(one, two))) }
      }
    }
    return news
  }

  /// Adds what an execution in another process has shown.
  mutating func add(_ other: News) {
    var news = News()
    isInUse = true
    if other.isCut { cut(&news) }
    for pair in other.pairs {
      guard let one = place(of: pair.one, { pair.names[0] }),
        let two = place(of: pair.other, { pair.names[1] })
      else { return cut(&news) }
      _ = set(one, two, pair.haveMet ? State.met : State.possible, &news)
    }
  }

  private mutating func cut(_ news: inout News) {
    if !isCut { (isCut, news.isCut) = (true, true) }
  }

  /// Returns the place of an end; nil if there is no room for it.
  private mutating func place(of key: UInt64, _ name: () -> String) -> Int? {
    if let place = places[key] { return place }
    guard ends.count < Self.mostEnds else { return nil }
    if states.isEmpty { states = Array(repeating: 0, count: Self.mostEnds * Self.mostEnds) }
    places[key] = ends.count
    ends.append((key, name()))
    return ends.count - 1
  }

  /// Raises the state of a pair. Returns true if it was lower.
  private mutating func set(_ one: Int, _ other: Int, _ state: UInt8, _ news: inout News) -> Bool {
    let index = Self.index(min(one, other), max(one, other))
    guard one != other, states[index] < state else { return false }
    if states[index] == 0 {
      guard count < Self.most else {
        cut(&news)
        return false
      }
      count += 1
    }
    states[index] = state
    return true
  }

  private static func index(_ one: Int, _ other: Int) -> Int { one * mostEnds + other }

  private func pair(_ one: Int, _ other: Int) -> Pair {
    let both = [ends[one], ends[other]].sorted { $0.key < $1.key }
    return Pair(
      one: both[0].key, other: both[1].key, names: both.map(\.name),
      haveMet: states[Self.index(one, other)] == State.met)
  }
}
