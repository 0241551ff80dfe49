/// What a search has seen come directly behind what, and how often.
///
/// An event is a piece of a task's code at a place: an actor, a queue, a lock, an atomic. What came directly before it there is
/// what it found: a read sees what the last write left behind.
struct RelationTable {
  /// An event came directly behind another one at a place. `before` is 0 where nothing came before.
  struct Relation: Hashable, Sendable {
    let place: UInt64
    let before: UInt64
    let after: UInt64
  }

  private struct Place {
    let name: UInt64
    /// In the order in which they were met; 0, for nothing, is the first.
    var events: ContiguousArray<UInt64> = [0]
  }

  private var places: ContiguousArray<Place> = []
  private var numbers: [UInt64: Int] = [:]
  /// The places with at least two events: only there can one come before another or behind it.
  private var contested: ContiguousArray<Int> = []
  /// In how many executions each relation was seen.
  private var counts: [Relation: Int] = [:]

  /// Whether there is anything that could be brought about.
  var isEmpty: Bool { contested.isEmpty }

  /// In how many executions the relation was seen.
  func count(of relation: Relation) -> Int { counts[relation] ?? 0 }

  /// An execution has shown these, each named once. Answers those that no execution had shown. O(number of them) expected.
  mutating func add(_ relations: ContiguousArray<Relation>) -> ContiguousArray<Relation> {
    var new: ContiguousArray<Relation> = []
    for relation in relations {
      let count = count(of: relation)
      if count == 0 { new.append(relation) }
      counts[relation] = count + 1
      meet(relation)
    }
    return new
  }

  private mutating func meet(_ relation: Relation) {
    let number = numbers[relation.place] ?? places.count
    if number == places.count {
      numbers[relation.place] = number
      places.append(Place(name: relation.place))
    }
    guard !places[number].events.contains(relation.after) else { return }
    places[number].events.append(relation.after)
    if places[number].events.count == 3 { contested.append(number) }
  }

  /// Of some relations that could be, one that was seen least. The table must not be empty.
  func draw(_ random: inout Strategies.SplitMix64) -> Relation {
    var best = drawAny(&random)
    for _ in 1..<4 {
      let other = drawAny(&random)
      if count(of: other) < count(of: best) { best = other }
    }
    return best
  }

  private func drawAny(_ random: inout Strategies.SplitMix64) -> Relation {
    let place = places[contested[random.below(contested.count)]]
    let before = random.below(place.events.count)
    let after = 1 + random.below(place.events.count - 1)
    return Relation(place: place.name, before: place.events[before], after: place.events[after])
  }
}
