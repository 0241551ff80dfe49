public import Simulator
public import SimulatorStrategyInterface

// Names as they were before 0.1.0.

extension SimulatedTestCase {
  @available(
    *, deprecated,
    renamed:
      "simulated(schedules:seed:strategy:exhaustiveDeviationBound:replays:timeBudget:timeLimit:inSeparateProcess:options:file:line:_:)"
  )
  @_disfavoredOverload
  public func simulated(
    schedules: Int = 1_000, seed: UInt64 = 0, strategy: any SchedulingStrategy = .portfolio,
    exhaustsDeviations: Int? = nil, replays: [String] = [], timeBudget: Duration? = nil,
    timeLimit: Duration? = nil, contained: Bool = true, options: Simulation.Options = Simulation.Options(),
    file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) throws {
    try simulated(
      schedules: schedules, seed: seed, strategy: strategy, exhaustiveDeviationBound: exhaustsDeviations,
      replays: replays, timeBudget: timeBudget, timeLimit: timeLimit, inSeparateProcess: contained,
      options: options, file: file, line: line, body)
  }

  @available(
    *, deprecated, renamed: "simulated(replaying:timeLimit:inSeparateProcess:options:file:line:_:)"
  )
  public func simulated(
    replaying token: String, timeLimit: Duration? = nil, contained: Bool,
    options: Simulation.Options = Simulation.Options(), file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) throws {
    try simulated(
      replaying: token, timeLimit: timeLimit, inSeparateProcess: contained, options: options, file: file,
      line: line, body)
  }
}
