/// Runs a body under many schedules.
///
/// Schedule n is a function of the seed, of n, and of what earlier rounds taught; a round is the natural
/// order, then ``roundSize`` schedules each time. The violation reported is the one with the lowest n. So it
/// makes no difference who runs which schedule of a round, or when.
public struct Explorer: Sendable {
  /// What the report calls it.
  public var name: String
  /// When to stop.
  public var budget = Explorer.Budget()
  /// What random choices are drawn from.
  public var seed: UInt64 = 0
  /// What picks the schedules after the natural one.
  public var strategy: any SchedulingStrategy = Strategies.Portfolio()
  /// Schedules to try before any other, for instance ones that failed before: all of them, whatever the
  /// budget.
  public var first: [Schedule] = []
  /// Whether the natural order is run three times before anything counts: once to initialise globals, twice
  /// to see that the same tape leads to the same trace.
  public var checksDeterminism = true
  /// Whether the natural order is the first schedule that counts.
  public var triesNaturalOrder = true
  /// What happens when the code that is explored ends the process.
  public var isolation = Explorer.Isolation.crashReport
  /// What executions may take of the machine where they are isolated.
  public var processLimits = Explorer.ProcessLimits()
  /// Told the choices of each schedule that counts.
  package var tried: (@Sendable ([Schedule.Choice]) -> Void)?
  /// Told all that has been found so far, each time that it is more or smaller.
  package var found: (@Sendable ([Invariant.Violation]) -> Void)?
  /// Where what happens is written down for others.
  package var recorder: FlightRecorder?
  /// How many executions that the recorder counts are known not to end the process.
  package var safeExecutions = 0
  private let options: Simulation.Options
  private let body: @Sendable (Simulation) async throws -> Void

  /// An exploration of `body`, which is run once for each schedule.
  public init(
    name: String, options: Simulation.Options = Simulation.Options(),
    body: @escaping @Sendable (Simulation) async throws -> Void
  ) {
    self.name = name
    self.options = options
    self.body = body
  }

  /// How many schedules a strategy runs before it may use what they taught.
  public static let roundSize = 32

  /// Explores on the calling thread. Ends after the schedule in which the calling task is cancelled, if a
  /// task calls.
  public func explore() -> Explorer.Report {
    budget.refuseMeaningless()
    let runner = runner()
    var search = Search(self, runner)
    search.run()
    runner.end()
    return search.report
  }

  /// Replays `token` and says whether it led where it was recorded to lead.
  public func replay(_ token: Schedule.Token) -> Explorer.ReplayResult {
    let runner = runner()
    defer { runner.end() }
    _ = runner.with(Strategies.NaturalOrder()) { runner.execute(0, seed: 0, keepingEvents: false) }
    let (execution, replay) = runner.with(LandmarkReplay(.positions(token.schedule))) {
      runner.observe(0, seed: 0)
    }
    let steps = replay.stepsAtChoices
    guard var divergence = Explorer.Divergence(expected: token, found: execution, steps: steps) else {
      return Explorer.ReplayResult(execution: execution, divergence: nil)
    }
    let again = runner.with(Strategies.Replay(token.schedule)) { runner.observe(0, seed: 0) }.result
    if again.trace.digest != execution.trace.digest {
      divergence.unrepeatable = Explorer.Divergence.between(execution, again)
    }
    return Explorer.ReplayResult(execution: execution, divergence: divergence)
  }

  private func runner() -> Runner {
    switch isolation {
    case .none: break
    case .crashReport: CrashReporter.install()
    case .forks:
      processLimits.refuseMeaningless()
      if let recorder = recorder ?? FlightRecorder.shared() {
        let probe = ForkProbe(recorder, limits: processLimits, safe: safeExecutions)
        return Runner.verified(options: options, recorder: recorder, forecast: probe, body: body)
      }
    }
    return Runner.verified(options: options, recorder: recorder ?? FlightRecorder(), body: body)
  }
}

extension Explorer {
  /// What a replay led to.
  public struct ReplayResult: Sendable {
    /// The execution, events included.
    public let execution: Simulation.Execution
    /// Where it left the recorded one; nil if it did not.
    public let divergence: Explorer.Divergence?
  }
}
