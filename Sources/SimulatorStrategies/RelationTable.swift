internal import SimulatorStrategyInterface

/// The pairs of events that a search has seen directly one after the other, with their counts.
///
/// An event is a piece of a task's code at a place: an actor, a queue, a lock, or an atomic. The event directly before
/// it determines what it finds there: a read sees the value of the last write.
package struct RelationTable {
  /// An event that came directly after another one at a place. `before` is 0 if nothing came before.
  package struct Relation: Hashable, Sendable {
    let place: UInt64
    let before: UInt64
    let after: UInt64
  }

  private struct Place {
    let name: UInt64
    /// The events in the order in which they were met. The first is 0, for nothing.
    var events: ContiguousArray<UInt64> = [0]
  }

  private var places: ContiguousArray<Place> = []
  private var numbers: [UInt64: Int] = [:]
  /// The places with at least two events. Only there can one event come before or after another.
  private var contested: ContiguousArray<Int> = []
  /// The number of executions that showed each relation.
  private var counts: [Relation: Int] = [:]

  /// True if there is no relation that an execution could bring about.
  var isEmpty: Bool { contested.isEmpty }

  /// Returns the number of executions that showed the relation.
  func count(of relation: Relation) -> Int { counts[relation] ?? 0 }

  /// Adds the relations that an execution has shown, each once. Returns those that no execution had shown before.
  /// O(number of relations) expected.
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

  /// Returns the least seen of a few random possible relations. The table must not be empty.
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
