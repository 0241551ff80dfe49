/// The choices of the execution in progress, in order. Appending is O(1) amortised.
struct Tape {
  private(set) var choices = ContiguousArray<Choice>()

  var count: Int { choices.count }

  mutating func append(_ choice: Choice) { choices.append(choice) }

  mutating func removeAll() { choices.removeAll(keepingCapacity: true) }

  /// The tape as a schedule; O(n).
  var schedule: Schedule {
    Schedule(
      deviations: choices.indices.lazy.filter { choices[$0].taken != 0 }.map {
        Schedule.Deviation(position: $0, taken: choices[$0].taken, options: choices[$0].options)
      })
  }
}
