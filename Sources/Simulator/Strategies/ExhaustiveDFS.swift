/// Every schedule exactly once, depth first, beginning with the natural order.
public struct ExhaustiveDFS: CoveringStrategy {
  private struct Decision {
    var options: Int32
    var taken: Int32
  }

  private var decisions: ContiguousArray<Decision> = []
  public private(set) var covered: Coverage?

  /// A search through every schedule.
  public init() {}

  public var goal: Coverage { .everySchedule }

  public mutating func began(_ number: Int, seed: UInt64) {}

  public mutating func pick(_ point: ChoicePoint) -> Pick {
    if point.position < decisions.count { return .option(Int(decisions[point.position].taken)) }
    decisions.append(Decision(options: Int32(point.options), taken: 0))
    return .option(0)
  }

  public mutating func ended(_ summary: ExecutionSummary) {
    while let last = decisions.last, last.taken + 1 == last.options { decisions.removeLast() }
    guard let last = decisions.indices.last else { return covered = .everySchedule }
    decisions[last].taken += 1
  }
}

extension Strategy where Self == ExhaustiveDFS {
  /// Every schedule: ``ExhaustiveDFS``.
  public static var exhaustive: ExhaustiveDFS { ExhaustiveDFS() }
}
