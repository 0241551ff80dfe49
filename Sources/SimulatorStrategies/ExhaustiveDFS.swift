public import SimulatorStrategyInterface

extension Strategies {
  /// Tries every schedule exactly once, depth first, beginning with the natural order.
  public struct ExhaustiveDFS: Strategies.Covering {
    private struct Decision {
      var options: Int32
      var taken: Int32
    }

    private var decisions: ContiguousArray<Decision> = []
    public private(set) var covered: Strategies.Coverage?

    /// Creates a search through every schedule.
    public init() {}

    public var goal: Strategies.Coverage { .everySchedule }

    public mutating func began(_ number: Int, seed: UInt64) {}

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if point.position < decisions.count { return .option(Int(decisions[point.position].taken)) }
      decisions.append(Decision(options: Int32(point.optionsInOrder), taken: 0))
      return .option(0)
    }

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {
      while let last = decisions.last, last.taken + 1 == last.options { decisions.removeLast() }
      guard let last = decisions.indices.last else { return covered = .everySchedule }
      decisions[last].taken += 1
    }
  }
}

extension SchedulingStrategy where Self == Strategies.ExhaustiveDFS {
  /// Tries every schedule: `Strategies.ExhaustiveDFS`.
  public static var exhaustive: Strategies.ExhaustiveDFS { Strategies.ExhaustiveDFS() }
}
