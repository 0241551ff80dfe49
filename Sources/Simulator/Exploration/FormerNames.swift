public import SimulatorCore

// Names as they were spelled before.

extension Explorer.Report {
  @available(*, deprecated, renamed: "behaviors")
  public var behaviours: Int { behaviors }
}

extension Strategies.Coverage {
  @available(*, deprecated, renamed: "everyBehavior")
  public static var everyBehaviour: Self { .everyBehavior }
}

extension Strategies.ExecutionSummary {
  @available(*, deprecated, renamed: "behavior")
  public var behaviour: UInt64 { behavior }
}
