import Simulator

// What must hold of a trip, beside what the vocabulary has.

extension Invariant {
  /// The trip is put off by what every postponement that has succeeded asked for, and by nothing else.
  static func everyPostponementCounts(on disk: String) -> Invariant {
    Invariant(
      "every-postponement-counts", "The trip is put off by all postponements that have succeeded.",
      diagnosis: .lostUpdate
    ) { EveryPostponementCounts(disk: disk) }
  }
}

private struct EveryPostponementCounts: Invariant.Monitor {
  let disk: String
  private var first: Int?
  private var day: Int?
  /// How far the trip may have been put off: what has failed may have been committed.
  private var possible: Set<Int> = [0]
  private var underWay: Set<Trace.Action> = []
  private(set) var judged = false

  init(disk: String) {
    self.disk = disk
  }

  var outlivesProcess: Bool { true }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .actionBegan(let action) where action.name == "postpone": underWay.insert(action)
    case .actionEnded(let action, let outcome) where underWay.remove(action) != nil:
      guard case .int(let days)? = action.arguments["days"] else { return nil }
      let moved = Set(possible.map { $0 + days })
      if case .returned = outcome {
        possible = moved
        judged = true
      } else {
        possible.formUnion(moved)
      }
    case .changed(disk, _, let to):
      guard case .int(let day) = to else { return nil }
      first = first ?? day
      self.day = day
    default: break
    }
    return nil
  }

  mutating func processDied(_ time: VirtualInstant) -> String? {
    for case .int(let days)? in underWay.map({ $0.arguments["days"] }) {
      possible.formUnion(possible.map { $0 + days })
    }
    underWay = []
    return nil
  }

  mutating func paused(_ time: VirtualInstant) -> String? { atRest(time) }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard underWay.isEmpty, let first, let day, !possible.contains(day - first) else { return nil }
    let expected = possible.sorted().map { "\(first + $0)" }.joined(separator: " or ")
    return "at rest the trip begins on day \(day), and what has succeeded puts it on day \(expected)"
  }
}
