// Names as they were before 0.1.0.

extension FakeFault {
  @available(*, deprecated, renamed: "noFault")
  public static var never: Self { noFault }
}

extension CallRecord {
  @available(*, deprecated, renamed: "arrivalDelay")
  public var reaches: ClosedRange<Duration>? { arrivalDelay }
}

extension Strategies.Coverage {
  @available(*, deprecated, renamed: "everyBehavior")
  public static var everyBehaviour: Self { everyBehavior }
}

extension Invariant.Shrinking {
  @available(*, deprecated, renamed: "originalSchedule")
  public var found: Schedule { originalSchedule }

  @available(*, deprecated, renamed: "maximumReplays")
  public static var replays: Int { maximumReplays }
}

extension Invariant.Violation.FreshReplay {
  @available(*, deprecated, renamed: "onlyInFreshProcess")
  public static var onlyThere: Self { onlyInFreshProcess }
}

extension Schedule {
  @available(*, deprecated, renamed: "hasPreemptibleSteps")
  public var overlaps: Bool { hasPreemptibleSteps }

  @available(*, deprecated, renamed: "init(deviations:hasPreemptibleSteps:accessPoints:)")
  public init(deviations: [Deviation], overlaps: Bool, accessPoints: [CodePoint] = []) {
    self.init(deviations: deviations, hasPreemptibleSteps: overlaps, accessPoints: accessPoints)
  }
}

extension Schedule.Token {
  @available(*, deprecated, renamed: "maximumLength")
  public static var longestText: Int { maximumLength }
}
