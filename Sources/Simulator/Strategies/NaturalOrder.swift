extension Strategies {
  /// The calm day: first come first served, shortest delays, no faults.
  public struct NaturalOrder: Strategies.Covering {
    /// The natural order.
    public init() {}

    public private(set) var covered: Strategies.Coverage?
    public var goal: Strategies.Coverage { .deviations(atMost: 0) }

    public mutating func began(_ number: Int, seed: UInt64) {}

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick { .option(0) }

    public mutating func ended(_ summary: Strategies.ExecutionSummary) { covered = .deviations(atMost: 0) }
  }
}

extension SchedulingStrategy where Self == Strategies.NaturalOrder {
  /// One schedule: ``Strategies/NaturalOrder``.
  public static var naturalOrder: Strategies.NaturalOrder { Strategies.NaturalOrder() }
}
