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
  /// Whether the natural order is run three times before the search, and once after it, to see that the same tape
  /// leads to the same trace: in the first execution, in later ones, and in a fresh process.
  public var checksDeterminism = true
  /// Whether the natural order is the first schedule that counts.
  public var triesNaturalOrder = true
  /// What happens when the code that is explored ends the process.
  public var isolation = Explorer.Isolation.crashReport
  /// In which processes executions run.
  public var freshness = Explorer.Freshness.checked
  /// How many processes may run a long search at the same time, at most 16 of use; at least 1.
  ///
  /// After the first 33 rounds, about 1,025 schedules, rounds are dealt out to 16 lanes, each of which goes on with a copy of the
  /// strategy and learns from its own rounds only. So the report is the same for any number, if the program keeps nothing from
  /// one execution to the next and does not depend on addresses. Other processes are copies of
  /// this one, made by `fork` where it has one thread, ``freshness`` and ``checksDeterminism`` ask for processes, and nothing
  /// is isolated; elsewhere this one runs all lanes. A strategy that covers something is not dealt out.
  public var jobs = 1
  /// What executions may take of the machine where they are isolated.
  public var processLimits = Explorer.ProcessLimits()
  /// Where this process has been before the search: what a report calls fresh rests on it.
  package var freshOrigin = Invariant.Violation.FreshOrigin.search
  /// Told the choices of each schedule that counts.
  package var tried: (@Sendable ([Schedule.Choice]) -> Void)?
  /// Told what has been found, and again what has been made smaller of it.
  package var found: (@Sendable ([Invariant.Violation]) -> Void)?
  /// What an execution in a fresh process hands over besides its result.
  package var baggage: Baggage?
  /// Where what happens is written down for others.
  package var recorder: FlightRecorder?
  /// The part of the search that is run; nil for the whole.
  package var shard: Explorer.Shard?
  /// How many executions that the recorder counts are known not to end the process.
  package var safeExecutions = 0
  /// Whether some schedules run in a fresh process too, to see whether what is kept hides anything. The search ends where that is
  /// so, and is to be made anew in fresh processes.
  package var comparesWithFresh = false
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
    refuse(if: jobs < 1, "`jobs` is \(jobs); a search needs one process at least")
    if let shard, shard.isIdle(in: self) { return .idle(name, seed: seed) }
    let (runner, access) = equipment(comparing: checksDeterminism)
    var search = Search(self, runner, access)
    search.run()
    runner.end()
    search.zygote?.end()
    return search.report
  }

  /// Replays `token` and says whether it led where it was recorded to lead. Nothing runs before it: where this process
  /// can be forked it runs in a fresh one, else as the next execution of this one.
  public func replay(_ token: Schedule.Token) -> Explorer.ReplayResult {
    replay(token, comparing: false)
  }

  /// The same; where it `compares`, a passing run is looked for beside each violation, which takes some 100 executions.
  package func replay(_ token: Schedule.Token, comparing compares: Bool) -> Explorer.ReplayResult {
    result(of: token, isFirst: false, comparing: compares)
  }

  /// What `schedule` leads to, of which nothing was recorded.
  package func run(_ schedule: Schedule, comparing compares: Bool) -> Explorer.ReplayResult {
    result(of: Schedule.Token(schedule: schedule, digest: 0), isFirst: true, comparing: compares)
  }

  private func result(
    of token: Schedule.Token, isFirst: Bool, comparing compares: Bool
  ) -> Explorer.ReplayResult {
    let (runner, access) = equipment(comparing: true)
    defer { runner.end() }
    let replay = TokenReplay(token: token, runner: runner, access: access, isFirst: isFirst)
    var result = replay.result()
    result.freshOrigin = freshOrigin
    if compares { result.nearest = replay.nearestPassing(to: result) }
    return result
  }

  /// What runs the executions, and whether fresh processes can be had; these only where they are asked for, by the
  /// freshness or because executions are compared.
  private func equipment(comparing isComparing: Bool) -> (Runner, ProcessAccess) {
    processLimits.refuseMeaningless()
    var recorder = recorder
    var access = ProcessAccess.notAsked
    if freshness == .everyExecution || freshness == .checked && isComparing {
      recorder = recorder ?? (FreshProcesses.refusal == nil ? FlightRecorder.shared() : nil)
      access = ProcessAccess(recorder, processLimits)
    }
    let runner = runner(recorder)
    runner.baggage = baggage
    return (runner, access)
  }

  private func runner(_ recorder: FlightRecorder?) -> Runner {
    switch isolation {
    case .none: break
    case .crashReport: CrashReporter.install()
    case .forks:
      if let recorder = recorder ?? FlightRecorder.shared() {
        let probe = ForkProbe(recorder, limits: processLimits, safe: safeExecutions)
        return Runner.verified(options: options, recorder: recorder, forecast: probe, body: body)
      }
    }
    return Runner.verified(options: options, recorder: recorder ?? FlightRecorder(), body: body)
  }
}
