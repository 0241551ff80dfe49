/// The calm day: first come first served, shortest delays, no faults.
public struct NaturalOrder: Strategy {
  /// The natural order.
  public init() {}

  public mutating func began(_ number: Int, seed: UInt64) {}

  public mutating func pick(_ point: ChoicePoint) -> Pick { .option(0) }
}
