public import SimulatorCore
internal import SimulatorStrategyInterface

// Names as they were before 0.1.0.

extension Simulation {
  @available(*, deprecated, renamed: "expectReached(_:)")
  public func reachable(_ name: String) { expectReached(name) }

  @available(*, deprecated, renamed: "markReached(_:)")
  public func reached(_ name: String) { markReached(name) }

  @available(*, deprecated, renamed: "declareAccess(to:_:)")
  public func access(_ name: String, _ access: Strategies.Access = .exclusive) {
    declareAccess(to: name, access)
  }
}

extension Simulation.Execution {
  @available(*, deprecated, renamed: "endTime")
  public var end: VirtualInstant { endTime }

  @available(*, deprecated, renamed: "vacuousInvariants")
  public var vacuous: [String] { vacuousInvariants }
}

extension Simulation.Options {
  @available(*, deprecated, renamed: "stepLimitPerInstant")
  public var stepsAtOneInstant: Int {
    get { stepLimitPerInstant }
    set { stepLimitPerInstant = newValue }
  }

  @available(*, deprecated, renamed: "foreignThreadTimeout")
  public var patience: Duration {
    get { foreignThreadTimeout }
    set { foreignThreadTimeout = newValue }
  }

  @available(*, deprecated, renamed: "forbidsOutlivingTasks")
  public var outlivingIsViolation: Bool {
    get { forbidsOutlivingTasks }
    set { forbidsOutlivingTasks = newValue }
  }

  @available(
    *, deprecated,
    renamed:
      "init(timeLimit:stepLimitPerInstant:foreignThreadTimeout:timerJitter:steps:forbidsOutlivingTasks:)"
  )
  @_disfavoredOverload
  public init(
    timeLimit: Duration = .seconds(600), stepsAtOneInstant: Int = 1_000_000,
    patience: Duration = .milliseconds(100), timerJitter: Duration = .zero, steps: Steps = .asNeeded,
    outlivingIsViolation: Bool = false
  ) {
    self.init(
      timeLimit: timeLimit, stepLimitPerInstant: stepsAtOneInstant, foreignThreadTimeout: patience,
      timerJitter: timerJitter, steps: steps, forbidsOutlivingTasks: outlivingIsViolation)
  }
}

extension Simulation.Options.Steps {
  @available(*, deprecated, renamed: "atomic")
  public static var whole: Self { atomic }

  @available(*, deprecated, renamed: "preemptible")
  public static var overlapping: Self { preemptible }
}

extension VirtualClock {
  @available(*, deprecated, renamed: "waitForSleepers(atLeast:)")
  public func sleepers(atLeast count: Int) async { await waitForSleepers(atLeast: count) }
}
