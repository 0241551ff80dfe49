/// Runs a body under many schedules.
///
/// Schedule n is a function of the seed, of n, and of what earlier rounds taught; a round is the natural order, then
/// ``roundSize`` schedules each time. The violation reported is the one with the lowest n. So it makes no difference
/// who runs which schedule of a round, or when.
public struct Explorer: Sendable {
  /// What the report calls it.
  public var name: String
  /// When to stop.
  public var budget = Budget()
  /// What random choices are drawn from.
  public var seed: UInt64 = 0
  /// What picks the schedules after the natural one.
  public var strategy: any Strategy = Portfolio()
  /// Schedules to try before any other, for instance ones that failed before: all of them, whatever the budget.
  public var first: [Schedule] = []
  /// Whether the natural order is run three times before anything counts: once to initialise globals, twice to see
  /// that the same tape leads to the same trace.
  public var checksDeterminism = true
  /// Whether the natural order is the first schedule that counts.
  public var triesNaturalOrder = true
  /// What happens when the code that is explored ends the process.
  public var isolation = Isolation.crashReport
  /// What executions may take of the machine where they are isolated.
  public var processLimits = ProcessLimits()
  /// Where what happens is written down for others.
  package var recorder: FlightRecorder?
  /// How many executions that the recorder counts are known not to end the process.
  package var safeExecutions = 0
  private let options: ExecutionOptions
  private let body: @Sendable (Simulation) async throws -> Void

  /// An exploration of `body`, which is run once for each schedule.
  public init(
    name: String, options: ExecutionOptions = ExecutionOptions(),
    body: @escaping @Sendable (Simulation) async throws -> Void
  ) {
    self.name = name
    self.options = options
    self.body = body
  }

  /// How many schedules a strategy runs before it may use what they taught.
  public static let roundSize = 32

  /// Explores on the calling thread. Ends after the schedule in which the calling task is cancelled, if a task calls.
  public func explore() -> Report {
    let runner = runner()
    var search = Search(self, runner)
    search.run()
    runner.end()
    return search.report
  }

  /// Replays `token` and says whether it led where it was recorded to lead.
  public func replay(_ token: ScheduleToken) -> ReplayResult {
    let runner = runner()
    defer { runner.end() }
    runner.strategy = NaturalOrder()
    _ = runner.execute(0, seed: 0, keepingEvents: false)
    runner.strategy = LandmarkReplay(.positions(token.schedule))
    let execution = runner.observe(0, seed: 0)
    let steps = (runner.strategy as? LandmarkReplay)?.stepsAtChoices ?? []
    guard var divergence = Divergence(expected: token, found: execution, steps: steps) else {
      return ReplayResult(execution: execution, divergence: nil)
    }
    let again = runner.observe(0, seed: 0)
    if again.trace.digest != execution.trace.digest {
      divergence.unrepeatable = Divergence.between(execution, again)
    }
    return ReplayResult(execution: execution, divergence: divergence)
  }

  private func runner() -> Runner {
    switch isolation {
    case .none: break
    case .crashReport: CrashReporter.install()
    case .forks:
      if let recorder = recorder ?? FlightRecorder.shared() {
        let probe = ForkProbe(recorder, limits: processLimits, safe: safeExecutions)
        return Runner.verified(options: options, recorder: recorder, probe: probe, body: body)
      }
    }
    return Runner.verified(options: options, recorder: recorder ?? FlightRecorder(), body: body)
  }
}

/// What a replay led to.
public struct ReplayResult: Sendable {
  /// The execution, events included.
  public let execution: Execution
  /// Where it left the recorded one; nil if it did not.
  public let divergence: Divergence?
}

/// An exploration in progress.
private struct Search {
  private let explorer: Explorer
  private let runner: Runner
  private var hasRunNaturally = false
  private var hasSwept = false
  /// How many schedules have taken real time or memory to try.
  private var costly = 0
  private static let mostCostly = 5
  private(set) var report: Report

  init(_ explorer: Explorer, _ runner: Runner) {
    self.explorer = explorer
    self.runner = runner
    report = Report(name: explorer.name, seed: explorer.seed)
  }

  mutating func run() {
    search()
    if let refusal = runner.refusal { report.warn("not isolated: \(refusal)") }
  }

  /// Something is left to try, and to find.
  private mutating func interrupted() {
    guard !isSatisfied else { return }
    report.interruption = runner.isToStop ? .stopped : costly >= Self.mostCostly ? .tooCostly : nil
  }

  private mutating func search() {
    if explorer.checksDeterminism { warmUp() }
    for schedule in explorer.first {
      runner.strategy = Replay(schedule)
      step()
    }
    if let deviations = explorer.budget.exhaustsDeviations {
      spend(on: DelayBounded(atMost: deviations))
      if report.coverage == .everySchedule { return }
    }
    spend(on: explorer.strategy)
  }

  /// Runs schedules under `strategy` until it has nothing left to try or the exploration is done.
  private mutating func spend(on strategy: any Strategy) {
    guard !isDone else { return interrupted() }
    runner.strategy = strategy
    runner.planned(schedules: explorer.budget.schedules - report.schedules)
    let before = report.schedules
    if explorer.triesNaturalOrder, !strategy.startsNaturally, !hasRunNaturally { watchNaturalOrder() }
    hasRunNaturally = true
    var left = 1
    while !isDone, runner.covered == nil {
      step()
      if !hasSwept, runner.offersCancels { sweepCancellations() }
      left -= 1
      if left == 0 {
        runner.roundEnded()
        left = Explorer.roundSize
      }
    }
    if runner.covered == nil { interrupted() }
    report.covered(runner.covered, schedules: report.schedules - before, of: strategy.goal)
  }

  private mutating func watchNaturalOrder() {
    runner.strategy = Watching(runner.strategy)
    step()
    if let watching = runner.strategy as? Watching { runner.strategy = watching.base }
    runner.roundEnded()
  }

  /// Globals are initialised by the first execution that touches them, so that one does not count; the natural
  /// order twice more must be the same twice. Events are kept only where it is not, to show where.
  private mutating func warmUp() {
    runner.strategy = NaturalOrder()
    let digests = (0..<3).map { _ in
      runner.execute(0, seed: explorer.seed, keepingEvents: false).summary.digest
    }
    guard digests[1] != digests[2] else { return }
    addDifference(runner.observe(0, seed: explorer.seed), runner.observe(0, seed: explorer.seed))
  }

  /// Delivers the cancels that may come anywhere at each point of the natural order in turn.
  private mutating func sweepCancellations() {
    hasSwept = true
    let strategy = runner.strategy
    defer { runner.strategy = strategy }
    let sweep = CancellationSweep(runner, seed: explorer.seed)
    guard !sweep.isEmpty else { return }
    report.cancellations = CancellationCoverage(points: sweep.schedules.count)
    for schedule in sweep.schedules where !isDone {
      runner.strategy = Replay(schedule)
      step()
      report.cancellations?.covered += 1
    }
  }

  private var isDone: Bool {
    // Of the calling task, if a task calls: nobody waits for the answer any more.
    isSatisfied || runner.isToStop || costly >= Self.mostCostly || Task.isCancelled
  }

  /// Whether the budget is spent, or all that was looked for has been seen.
  private var isSatisfied: Bool {
    if report.schedules >= explorer.budget.schedules { return true }
    guard let wanted = explorer.budget.stopsAfter, !report.violations.isEmpty else { return false }
    return wanted.isSubset(of: report.violations.lazy.map(\.invariant))
  }

  private mutating func step() {
    let outcome = runner.execute(report.schedules, seed: explorer.seed, keepingEvents: false)
    report.count(outcome)
    if outcome.isCostly { costly += 1 }
    explorer.recorder?.schedules = report.schedules
    explorer.recorder?.behaviours = report.behaviours
    guard let execution = outcome.execution else { return }
    let fresh = execution.violations.filter { !report.hasViolation(of: $0.invariant) }
    guard !fresh.isEmpty else { return }
    confirm(execution, fresh.map(\.invariant))
  }

  /// A violation is reported only when its schedule, replayed, shows it again with the same trace.
  private mutating func confirm(_ found: Execution, _ invariants: [String]) {
    let strategy = runner.strategy
    runner.strategy = Replay(found.schedule)
    let again = runner.observe(report.schedules - 1, seed: explorer.seed)
    runner.strategy = strategy
    guard again.trace.digest == found.trace.digest else {
      addDifference(found, again)
      return
    }
    for violation in again.violations where invariants.contains(violation.invariant) {
      report.add(violation.isReducible ? reduced(violation, of: found) : violation)
    }
  }

  private mutating func reduced(_ violation: Violation, of found: Execution) -> Violation {
    guard explorer.budget.shrinking > 0, !runner.isToStop else { return violation }
    let reduction = Reduction(runner: runner, seed: explorer.seed, limit: explorer.budget.shrinking)
    switch reduction.reduce(violation, of: found) {
    case .smaller(let smaller): return smaller
    case .unstable(let one, let other): report.add(nondeterminism(one, other))
    case .lost: report.add(nondeterminism(found, found))
    }
    return violation
  }

  /// Two executions of one schedule differ. Where work escapes that is no wonder: it comes back when its thread
  /// pleases.
  private mutating func addDifference(_ first: Execution, _ second: Execution) {
    let violations = second.violations + first.violations
    report.add(violations.first { $0.invariant == BuiltIn.escape } ?? nondeterminism(first, second))
  }

  /// The schedule of `execution` once more, with its events.
  private func repeated(_ execution: Execution) -> Execution {
    let strategy = runner.strategy
    defer { runner.strategy = strategy }
    runner.strategy = Replay(execution.schedule)
    return runner.observe(report.schedules, seed: explorer.seed)
  }

  private func nondeterminism(_ first: Execution, _ second: Execution) -> Violation {
    Violation(
      invariant: BuiltIn.nondeterminism, diagnosis: .nondeterminism,
      message: Divergence.between(first, second, again: repeated(first)), time: second.end,
      step: second.steps,
      number: report.schedules, token: first.token, trace: second.trace)
  }
}
