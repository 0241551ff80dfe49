public import SimulatorCore

// Names as they were spelled before.

extension Strategies.SharedObject {
  @available(*, deprecated, renamed: "Strategies.Access")
  public typealias Access = Strategies.Access
}

extension Strategies.Candidate.Kind {
  @available(*, deprecated, renamed: "parked")
  public static var standing: Self { parked }
}

extension Strategies.ExecutionSummary {
  @available(*, deprecated, renamed: "behavior")
  public var behaviour: UInt64 { behavior }

  @available(*, deprecated, renamed: "hasTimeRanges")
  public var metRange: Bool {
    get { hasTimeRanges }
    set { hasTimeRanges = newValue }
  }

  @available(*, deprecated, renamed: "choseDurationEagerly")
  public var choseAtOnce: Bool {
    get { choseDurationEagerly }
    set { choseDurationEagerly = newValue }
  }
}
