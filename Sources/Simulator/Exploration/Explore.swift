public import SimulatorCore
public import SimulatorKernel
public import SimulatorStrategyInterface

/// Runs `body` under many schedules and reports what broke.
///
/// The first schedule is the natural order. The body, and everything it starts, runs on the calling thread,
/// in virtual time; the call returns when the budget is spent or a violation has been found.
///
/// ```swift
/// let report = explore { simulation in
///   let account = Account(balance: 100)
///   simulation.always("never overdrawn") { account.assumeIsolated { $0.balance >= 0 } }
///   async let first: Void = account.withdraw(70)
///   async let second: Void = account.withdraw(70)
///   _ = await (first, second)
/// }
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
///
/// - Parameters:
///   - name: The name of the exploration in the report.
///   - schedules: The largest number of schedules to try; at least 1.
///   - seed: The seed of all random choices.
///   - strategy: The strategy that picks the schedules after the natural one. If it is exhaustive, the report says
///     whether all schedules were tried.
///   - jobs: The number of processes that may run a long search at the same time: ``Explorer/jobs``. The report is the
///     same for any number.
///   - options: The limits of one execution.
///   - body: The program. It runs once for each schedule, so it must make everything that it uses.
public func explore<Searching: SchedulingStrategy>(
  _ name: String = "exploration", schedules: Int = 1_000, seed: UInt64 = 0,
  strategy: Searching = .portfolio, jobs: Int = 1, options: Simulation.Options = Simulation.Options(),
  _ body: @escaping @Sendable (Simulation) async throws -> Void
) -> Explorer.Report {
  var explorer = Explorer(name: name, options: options, body: body)
  explorer.budget.schedules = schedules
  explorer.seed = seed
  explorer.strategy = strategy
  explorer.jobs = jobs
  return explorer.explore()
}

/// Runs `body` once, in the natural order or as `schedule` says, and returns what happened, including the events.
public func simulate(
  _ schedule: Schedule = .natural, options: Simulation.Options = Simulation.Options(),
  _ body: @escaping @Sendable (Simulation) async throws -> Void
) -> Simulation.Execution {
  let runner = Runner.verified(options: options, body: body)
  return runner.replaying(schedule) { runner.observe(0, seed: 0) }
}
