public import Simulator
public import SimulatorStrategyInterface
public import Testing

// Names as they were before 0.1.0.

extension Trait where Self == SimulatedTrait {
  @available(
    *, deprecated,
    renamed:
      "simulated(schedules:seed:strategy:exhaustiveDeviationBound:replays:timeBudget:timeLimit:inSeparateProcess:options:sourceLocation:)"
  )
  @_disfavoredOverload
  public static func simulated(
    schedules: Int = 1_000, seed: UInt64 = 0, strategy: any SchedulingStrategy = .portfolio,
    exhaustsDeviations: Int? = nil, replays: [String] = [], timeBudget: Duration? = nil,
    timeLimit: Duration? = nil, contained: Bool = true, options: Simulation.Options = Simulation.Options(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    .simulated(
      schedules: schedules, seed: seed, strategy: strategy, exhaustiveDeviationBound: exhaustsDeviations,
      replays: replays, timeBudget: timeBudget, timeLimit: timeLimit, inSeparateProcess: contained,
      options: options, sourceLocation: sourceLocation)
  }

  @available(
    *, deprecated, renamed: "simulated(replaying:timeLimit:inSeparateProcess:options:sourceLocation:)"
  )
  public static func simulated(
    replaying token: String, timeLimit: Duration? = nil, contained: Bool,
    options: Simulation.Options = Simulation.Options(), sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    .simulated(
      replaying: token, timeLimit: timeLimit, inSeparateProcess: contained, options: options,
      sourceLocation: sourceLocation)
  }
}
