public import SimulatorCore

// Names as they were spelled before.

extension Strategies.ExecutionSummary {
  @available(*, deprecated, renamed: "behavior")
  public var behaviour: UInt64 { behavior }
}

extension Strategies.SharedObject {
  @available(*, deprecated, renamed: "Strategies.Access")
  public typealias Access = Strategies.Access
}
