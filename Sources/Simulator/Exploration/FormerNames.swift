public import SimulatorCore
public import SimulatorKernel

// Names as they were before 0.1.0.

extension Explorer {
  @available(*, deprecated, renamed: "firstSchedules")
  public var first: [Schedule] {
    get { firstSchedules }
    set { firstSchedules = newValue }
  }
}

extension Explorer.Budget {
  @available(*, deprecated, renamed: "violationsToFind")
  public var stopsAfter: Set<String>? {
    get { violationsToFind }
    set { violationsToFind = newValue }
  }

  @available(*, deprecated, renamed: "shrinkingExecutions")
  public var shrinking: Int {
    get { shrinkingExecutions }
    set { shrinkingExecutions = newValue }
  }

  @available(*, deprecated, renamed: "exhaustiveDeviationBound")
  public var exhaustsDeviations: Int? {
    get { exhaustiveDeviationBound }
    set { exhaustiveDeviationBound = newValue }
  }

  @available(*, deprecated, renamed: "exhaustiveStoryBound")
  public var exhaustsStories: Strategies.StoryBound? {
    get { exhaustiveStoryBound }
    set { exhaustiveStoryBound = newValue }
  }
}

extension Explorer.Divergence {
  @available(*, deprecated, renamed: "nondeterminism")
  public var unrepeatable: String? { nondeterminism }
}

extension Explorer.ReplayResult {
  @available(*, deprecated, renamed: "nothingViolatedText")
  public var nothingViolated: String? { nothingViolatedText }
}

extension Explorer.Report {
  @available(*, deprecated, renamed: "behaviors")
  public var behaviours: Int { behaviors }

  @available(*, deprecated, renamed: "hasTimeRanges")
  public var metRange: Bool { hasTimeRanges }

  @available(*, deprecated, renamed: "choseDurationEagerly")
  public var choseAtOnce: Bool { choseDurationEagerly }

  @available(*, deprecated, renamed: "stoppedObserving")
  public var lookedAway: Bool { stoppedObserving }

  @available(*, deprecated, renamed: "skippedUnfairSchedules")
  public var leftUnfairOut: Bool { skippedUnfairSchedules }

  @available(*, deprecated, renamed: "hasPreemptibleSteps")
  public var overlaps: Bool { hasPreemptibleSteps }

  @available(*, deprecated, renamed: "contradictsCoverage")
  public var contradiction: Bool { contradictsCoverage }

  @available(*, deprecated, renamed: "sampledSchedules")
  public var sampled: Int { sampledSchedules }

  @available(*, deprecated, renamed: "unjudgedSchedules")
  public var unjudged: Int { unjudgedSchedules }

  @available(*, deprecated, renamed: "untrackedSharing")
  public var unseen: String? { untrackedSharing }

  @available(*, deprecated, renamed: "incompleteCoverage")
  public var unfinished: Strategies.Coverage? { incompleteCoverage }

  @available(*, deprecated, renamed: "incompleteCoverageText")
  public var shortfall: String? { incompleteCoverageText }

  @available(*, deprecated, renamed: "vacuousInvariants")
  public var vacuous: Set<String>? { vacuousInvariants }
}

extension Serializable {
  @available(*, deprecated, renamed: "maximumOperations")
  public static var mostOperations: Int { maximumOperations }

  @available(*, deprecated, renamed: "check(options:)")
  public func judge(options: Simulation.Options? = nil) async { await check(options: options) }
}

extension Linearizable {
  @available(*, deprecated, renamed: "check()")
  public func judge() async { await check() }
}
