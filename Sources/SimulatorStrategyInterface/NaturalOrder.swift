public import SimulatorCore

extension Strategies {
  /// The natural order: first come, first served; the shortest delays; and no faults.
  public struct NaturalOrder: Strategies.Covering {
    /// Creates the strategy of the natural order.
    public init() {}

    public private(set) var covered: Strategies.Coverage?
    public var goal: Strategies.Coverage { .deviations(atMost: 0) }

    public mutating func began(_ number: Int, seed: UInt64) {}

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick { .option(0) }

    public mutating func ended(_ summary: Strategies.ExecutionSummary) { covered = .deviations(atMost: 0) }
  }
}

extension SchedulingStrategy where Self == Strategies.NaturalOrder {
  /// Tries one schedule: `Strategies.NaturalOrder`.
  public static var naturalOrder: Strategies.NaturalOrder { Strategies.NaturalOrder() }
}
