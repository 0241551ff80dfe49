internal import CProcesses
internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategies
internal import SimulatorStrategyInterface

/// An exploration in progress.
struct Search {
  let explorer: Explorer
  let runner: Runner
  let access: ProcessAccess
  /// The process that starts fresh processes for schedules while this one runs the search.
  var freshServer: FreshProcessServer?
  /// The digest of the natural order when the search began; nil if it was not checked, or was not always the same.
  var naturalDigest: UInt64?
  /// The numbers of its executions.
  var numbering: Numbering
  private var hasRunNaturally = false
  /// True if the natural order takes very many steps at one instant.
  var isLongByNature = false
  var hasSwept = false
  /// The number of schedules that took real time or memory to try.
  private var costly = 0
  var hasBeenCostly: Bool { costly > 0 }
  private static let mostCostly = 5
  /// The behaviors that the reduced search in progress has shown.
  private var reduced: BehaviorCounts?
  /// The suspected data races that the search has tried to confirm, each with the number of executions after which it tried.
  var suspected: [[Schedule.CodePoint]: Int] = [:]
  /// True if the last execution was stopped because the time was over.
  var isCutShort = false
  var report: Explorer.Report

  init(_ explorer: Explorer, _ runner: Runner, _ access: ProcessAccess = .notAsked) {
    self.explorer = explorer
    self.runner = runner
    self.access = access
    numbering = Numbering(explorer)
    runner.recorder.end(within: explorer.budget.time)
    report = Explorer.Report(name: explorer.name, seed: explorer.seed)
    (report.hasPreemptibleSteps, report.hasWeakMemory) = (runner.overlaps, runner.options.memory == .weak)
    report.freshOrigin = explorer.freshOrigin
  }

  mutating func run() {
    if !runner.isOutOfTime { prepareProcesses() }
    raiseLevel()
    search()
    if raiseLevel() { search() }
    compareAgain()
    describeTasksAfterBody()
    if runner.children == nil, report.processes == .eachFresh {
      report.processes = .one(why: access.fault ?? "a child was lost")
    }
    if let refusal = runner.refusal { report.warn("not isolated: \(refusal)") }
    report.ended(with: runner.endPairs, isShard: explorer.shard != nil)
  }

  /// Notes why the search ended, if something is left to try and to find.
  private mutating func interrupted() {
    guard !isSatisfied else { return }
    report.interruption =
      runner.isToStop ? .stopped : isOutOfTime ? .outOfTime : costly >= Self.mostCostly ? .tooCostly : nil
  }

  /// True if the schedules so far had atomic steps, and tasks share something that only preemptible steps can show.
  private var needsLevel: Bool { runner.needsOverlap && !runner.overlaps }

  /// Starts again with preemptible steps if they are needed. Findings stay; earlier coverage is not claimed.
  @discardableResult
  private mutating func raiseLevel() -> Bool {
    guard needsLevel, !isSatisfied, !runner.isToStop, !isOutOfTime else { return false }
    raiseLevelAtOnce()
    readAgain()
    return !hasEscaped
  }

  mutating func raiseLevelAtOnce() {
    runner.overlaps = true
    hasRunNaturally = false
    hasSwept = false
    report.raised()
  }

  private mutating func search() {
    beginAlone()
    if numbering.isHome {
      for schedule in explorer.firstSchedules where !hasEscaped { step(under: schedule) }
      if isLongByNature, !isDone {
        // A strategy that watched it would note millions of choices.
        step(under: natural)
        hasRunNaturally = true
      }
      if let deviations = explorer.budget.exhaustiveDeviationBound {
        spend(on: Strategies.DelayBounded(atMost: deviations))
        if report.coverage == .everySchedule { return }
      }
      if let bound = explorer.budget.exhaustiveStoryBound { spend(on: Strategies.Stories(bound)) }
    }
    beginShare()
    spend(on: explorer.strategy)
  }

  /// Runs schedules under `strategy` until it has nothing left to try or the exploration is done.
  private mutating func spend(on strategy: any SchedulingStrategy) {
    guard !isDone else { return interrupted() }
    let before = report.schedules
    let startsNaturally = strategy is any Strategies.StartsNaturally
    let goal = (strategy as? any Strategies.Covering)?.goal
    reduced = goal == .everyBehavior ? BehaviorCounts() : nil
    defer { reduced = nil }
    let (covered, learned) = runner.with(strategy) {
      if let shard = numbering.shard, goal == nil {
        runRounds(of: shard, startsNaturally: startsNaturally)
        return runner.covered
      }
      if explorer.triesNaturalOrder, !startsNaturally, !hasRunNaturally { watchNaturalOrder() }
      hasRunNaturally = true
      runRounds(atMost: strategy is any Strategies.Divisible ? Lanes.roundsBefore : Int.max)
      return runner.covered
    }
    if covered == nil, numbering.shard == nil, let divisible = learned as? any Strategies.Divisible {
      runLanes(divisible)
    }
    if covered == nil { interrupted() }
    let schedules = report.schedules - before
    // Read before the sample runs: the search may not have needed what random schedules leave out.
    let skippedUnfairSchedules = report.skippedUnfairSchedules
    if covered == .everyBehavior, let reduced { sample(besides: reduced, after: schedules) }
    report.covered(covered, schedules: schedules, of: goal, skippedUnfairSchedules: skippedUnfairSchedules)
  }

  private mutating func watchNaturalOrder() {
    runner.watching { step() }
    runner.roundEnded()
  }

  /// Runs rounds. The first round is one execution, so that what the natural order teaches may be used at once.
  private mutating func runRounds(atMost rounds: Int) {
    var left = 1
    var roundsLeft = rounds
    while roundsLeft > 0, !isDone, runner.covered == nil {
      step()
      sweepIfOffered()
      left -= 1
      if left == 0 {
        runner.roundEnded()
        left = Explorer.roundSize
        roundsLeft -= 1
      }
    }
  }

  var isDone: Bool {
    // If the calling task is canceled, it no longer wants the result.
    isSatisfied || needsLevel || runner.isToStop || costly >= Self.mostCostly || Task.isCancelled
      || isOutOfTime || report.isToBeMadeFresh
  }

  /// True if the budget is spent, or if everything that was looked for has been seen.
  var isSatisfied: Bool {
    if number >= numbering.end || hasEscaped { return true }
    if numbering.shard == nil, report.schedules >= numbering.end { return true }
    guard let wanted = explorer.budget.violationsToFind, !report.violations.isEmpty else { return false }
    return wanted.isSubset(of: report.violations.lazy.map(\.invariant))
  }

  mutating func step(under schedule: Schedule) {
    runner.replaying(schedule) { _ = step() }
  }

  /// Runs the next schedule. Returns its summary, if anything can be concluded from it.
  @discardableResult
  mutating func step() -> Strategies.ExecutionSummary? {
    let summary = conclude(runner.execute(number, seed: explorer.seed, keepingEvents: false))
    if let summary { compareWithFresh(summary) }
    return summary
  }

  /// Draws the conclusions from `first`, the last execution.
  @discardableResult
  mutating func conclude(_ first: Runner.Outcome) -> Strategies.ExecutionSummary? {
    if first.isCutShort {
      cutShort()
      return nil
    }
    if let tried = explorer.tried { tried(runner.choices) }
    if first.isCostly || first.isLong { costly += 1 }
    let outcome = first.isCostly && !runner.isTooLate ? secondOpinion(on: first) : first
    if isForWholeStepsOnly(outcome) { return nil }
    if addEscape(in: outcome) { return nil }
    if outcome.isCostly || outcome.isLong { report.wasCostly = true }
    count(outcome)
    note(outcome.advice)
    reduced?.count(outcome.summary.behavior)
    explorer.recorder?.schedules = report.schedules
    explorer.recorder?.behaviors = report.behaviors
    let summary = outcome.isCostly ? nil : outcome.summary
    if runner.overlaps, !outcome.suspicions.isEmpty {
      makeSure(of: outcome.suspicions, after: runner.choices)
    }
    guard let execution = outcome.execution else { return summary }
    let fresh = execution.violations.filter { !report.hasViolation(of: $0.invariant) }
    guard !fresh.isEmpty else { return summary }
    confirm(execution, fresh.map(\.invariant), isCostly: outcome.isCostly)
    return summary
  }

  /// True if work has escaped. Then nothing else can be concluded, and the search is over.
  private var hasEscaped: Bool { report.hasViolation(of: Invariant.BuiltIn.escape) }

  /// Returns true if a step waited for something that it can have once steps are preemptible, as they are about to be.
  func isForWholeStepsOnly(_ outcome: Runner.Outcome) -> Bool {
    needsLevel && outcome.needsOverlap && outcome.execution?.ending == .escaped
  }

  /// Reports that work escapes in `outcome`, if it does. Replays the schedule for its events, unless a step was abandoned: the
  /// program may hold a lock.
  mutating func addEscape(in outcome: Runner.Outcome) -> Bool {
    guard let found = outcome.execution, found.ending == .escaped, !isForWholeStepsOnly(outcome) else {
      return false
    }
    count(outcome)
    let shown = runner.hasLeftStep ? found : replayed(found, as: number - 1)
    let violations = (shown.ending == .escaped ? shown : found).violations
    violations.forEach { report.add($0) }
    return true
  }

  /// Reports violations, but only if their schedule, replayed, shows them again with the same trace.
  mutating func confirm(_ found: Simulation.Execution, _ invariants: [String], isCostly: Bool = false) {
    guard !runner.isTooLate else { return report(unconfirmed: found, invariants) }
    let outcome = runner.replaying(found.schedule) {
      runner.execute(number - 1, seed: explorer.seed, keepingEvents: true)
    }
    guard !runner.wasCutShort, let again = outcome.execution else {
      return report(unconfirmed: found, invariants)
    }
    guard again.trace.digest == found.trace.digest else {
      if isCostly || outcome.isCostly, let end = again.endByLimit { return report(unshrunk: end) }
      return compare(found, again, invariants)
    }
    let inFresh = freshServer?.observe(found.schedule, number: number - 1, seed: explorer.seed, moved: 1)
    let confirmed = again.violations.filter { invariants.contains($0.invariant) && isOfProgram($0) }
    // Reported before it is shrunk, which may take long, and again afterward.
    explorer.found?(confirmed.filter { !report.hasViolation(of: $0.invariant) })
    for violation in confirmed {
      report.add(judged(violation, of: found, inFresh))
      explorer.found?(report.violations.filter { $0.invariant == violation.invariant })
    }
  }

  mutating func reduced(_ violation: Invariant.Violation, of found: Simulation.Execution)
    -> Invariant.Violation
  {
    guard explorer.budget.shrinkingExecutions > 0, !runner.isToStop, !runner.isTooLate else {
      return violation
    }
    if found.isLong, found.schedule.deviations.isEmpty { return violation.provedByOneReplay(of: found) }
    let reduction = Reduction(
      runner: runner, seed: explorer.seed, limit: explorer.budget.shrinkingExecutions,
      time: explorer.budget.shrinkingTime)
    switch reduction.reduce(violation, of: found) {
    case .smaller(let smaller): return isShownWithSpacedReads(smaller) ? smaller : violation
    case .unstable where isSlow(violation), .moved where isSlow(violation), .lost where isSlow(violation):
      report.warn(Self.isTooCostly)
    case .unstable where runner.isTooLate, .moved where runner.isTooLate, .lost where runner.isLate:
      report.warn("not shrunk: the time of the search was over")
    case .unstable(let one, let other): report.add(nondeterminism(one, other))
    case .moved(let one, let other): report.add(nondeterminism(one, other, isOfAddress: true))
    case .lost: report.add(nondeterminism(found, found))
    }
    return violation
  }

  private func isSlow(_ violation: Invariant.Violation) -> Bool {
    costly > 0 && Invariant.BuiltIn.takesTime(violation.invariant)
  }

  /// Reports that two executions of one schedule differ. If work escapes, that is the cause: its thread decides when the work
  /// comes back.
  mutating func addDifference(_ first: Simulation.Execution, _ second: Simulation.Execution) {
    let violations = second.violations + first.violations
    report.add(violations.first { $0.invariant == Invariant.BuiltIn.escape } ?? nondeterminism(first, second))
  }

  /// Replays the schedule of `execution` with its events.
  func replayed(_ execution: Simulation.Execution, as number: Int) -> Simulation.Execution {
    runner.replaying(execution.schedule) { runner.observe(number, seed: explorer.seed) }
  }
}
