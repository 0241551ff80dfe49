/// The calm day: first come first served, shortest delays, no faults.
public struct NaturalOrder: CoveringStrategy {
  /// The natural order.
  public init() {}

  public private(set) var covered: Coverage?
  public var goal: Coverage { .deviations(atMost: 0) }

  public mutating func began(_ number: Int, seed: UInt64) {}

  public mutating func pick(_ point: ChoicePoint) -> Pick { .option(0) }

  public mutating func ended(_ summary: ExecutionSummary) { covered = .deviations(atMost: 0) }
}

extension Strategy where Self == NaturalOrder {
  /// One schedule: ``NaturalOrder``.
  public static var naturalOrder: NaturalOrder { NaturalOrder() }
}
