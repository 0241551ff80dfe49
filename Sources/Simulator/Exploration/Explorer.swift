public import SimulatorCore
public import SimulatorKernel
public import SimulatorStrategyInterface

/// Runs a body under many schedules.
///
/// Schedule n is a function of the seed, of n, and of what earlier rounds taught. The first round is the natural order;
/// each later one has ``roundSize`` schedules. The violation reported is the one with the lowest n. So it makes no
/// difference which process runs which schedule of a round, or when.
public struct Explorer: Sendable {
  /// The name of the search in the report.
  public var name: String
  /// The conditions under which the search stops.
  public var budget = Explorer.Budget()
  /// The seed of all random choices.
  public var seed: UInt64 = 0
  /// The strategy that picks the schedules after the natural one.
  public var strategy: any SchedulingStrategy = .portfolio
  /// The schedules to try before any other, for instance ones that failed before. All of them are tried, whatever the
  /// budget.
  public var firstSchedules: [Schedule] = []
  /// True if the natural order runs three times before the search, and once after it, to check that the same tape leads
  /// to the same trace: in the first execution, in later ones, and in a fresh process.
  public var checksDeterminism = true
  /// True if the natural order is the first schedule that counts.
  public var triesNaturalOrder = true
  /// The protection against code that ends the process.
  public var isolation = Explorer.Isolation.crashReport
  /// The processes in which executions run.
  public var freshness = Explorer.Freshness.checked
  /// The number of processes that may run a long search at the same time; at least 1. More than 16 are of no use.
  ///
  /// After the first 33 rounds, about 1,025 schedules, rounds are dealt out to 16 lanes. Each lane goes on with a copy
  /// of the strategy and learns from its own rounds only. So the report is the same for any number, if the program
  /// keeps nothing from one execution to the next and does not depend on addresses. Other processes are copies of this
  /// one, made by `fork` if it has one thread, ``freshness`` and ``checksDeterminism`` ask for processes, and nothing
  /// is isolated. Otherwise this process runs all lanes. A strategy that covers something is not dealt out.
  public var jobs = 1
  /// The resources of the machine that executions may use if they are isolated.
  public var processLimits = Explorer.ProcessLimits()
  /// The state of this process before the search, which determines what a report calls fresh.
  package var freshOrigin = Invariant.Violation.FreshOrigin.search
  /// A function that receives the choices of each schedule that counts.
  package var tried: (@Sendable ([Schedule.Choice]) -> Void)?
  /// A function that receives what has been found, and again what has been shrunk of it.
  package var found: (@Sendable ([Invariant.Violation]) -> Void)?
  /// The data that an execution in a fresh process hands over besides its result.
  package var childPayload: ChildPayload?
  /// The recorder in which others can read what happens.
  package var recorder: FlightRecorder?
  /// The part of the search that is run; nil for the whole.
  package var shard: Explorer.Shard?
  /// The number of executions counted by the recorder that are known not to end the process.
  package var safeExecutions = 0
  /// True if some schedules also run in a fresh process, to see if kept state hides anything. If it does, the search
  /// ends and must be repeated in fresh processes.
  package var comparesWithFresh = false
  private let options: Simulation.Options
  private let body: @Sendable (Simulation) async throws -> Void

  /// Creates an exploration of `body`, which runs once for each schedule.
  public init(
    name: String, options: Simulation.Options = Simulation.Options(),
    body: @escaping @Sendable (Simulation) async throws -> Void
  ) {
    self.name = name
    self.options = options
    self.body = body
  }

  /// The number of schedules that a strategy runs before it may use what they taught.
  public static let roundSize = 32

  /// Explores on the calling thread. If a task calls, ends after the schedule in which that task is cancelled.
  public func explore() -> Explorer.Report {
    budget.refuseMeaningless()
    refuse(if: jobs < 1, "`jobs` is \(jobs); a search needs one process at least")
    if let shard, shard.isIdle(in: self) { return .idle(name, seed: seed) }
    let (runner, access) = equipment(comparing: checksDeterminism)
    var search = Search(self, runner, access)
    search.run()
    runner.end()
    search.freshServer?.end()
    return search.report
  }

  /// Replays `token` and returns whether it led where it was recorded to lead. Nothing runs before it. If this process
  /// can be forked, the replay runs in a fresh process, otherwise as the next execution of this one.
  public func replay(_ token: Schedule.Token) -> Explorer.ReplayResult {
    replay(token, comparing: false)
  }

  /// Replays `token`. If it `compares`, also looks for a passing run beside each violation, which takes some 100 executions.
  package func replay(_ token: Schedule.Token, comparing compares: Bool) -> Explorer.ReplayResult {
    result(of: token, isFirst: false, comparing: compares)
  }

  /// Runs `schedule`, of which nothing was recorded, and returns what it leads to.
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

  /// Returns the runner of the executions, and the access to fresh processes. That is set up only if it is asked for,
  /// by the freshness or because executions are compared.
  private func equipment(comparing isComparing: Bool) -> (Runner, ProcessAccess) {
    processLimits.refuseMeaningless()
    var recorder = recorder
    var access = ProcessAccess.notAsked
    if freshness == .everyExecution || freshness == .checked && isComparing {
      recorder = recorder ?? (FreshProcesses.refusal == nil ? FlightRecorder.shared() : nil)
      access = ProcessAccess(recorder, processLimits)
    }
    let runner = runner(recorder)
    runner.childPayload = childPayload
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
