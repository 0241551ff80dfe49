internal import CProcesses

/// An exploration in progress.
struct Search {
  let explorer: Explorer
  let runner: Runner
  let access: ProcessAccess
  /// What runs a schedule in a fresh process while this one runs the search.
  var zygote: Zygote?
  /// The digest of the natural order when the search began; nil if it was not asked for, or was not always the same.
  var naturalDigest: UInt64?
  /// The numbers of its executions.
  var numbering: Numbering
  private var hasRunNaturally = false
  /// Whether the natural order takes very many steps at one instant.
  var isLongByNature = false
  var hasSwept = false
  /// How many schedules have taken real time or memory to try.
  private var costly = 0
  var hasBeenCostly: Bool { costly > 0 }
  private static let mostCostly = 5
  /// The behaviours that the reduced search in progress has shown.
  private var reduced: BehaviourCounts?
  /// The suspected data races of which the search has made sure, or could not.
  var suspected: [[Schedule.CodePoint]: Int] = [:]
  /// Whether the last execution was left off because the time was over.
  var isCutShort = false
  var report: Explorer.Report

  init(_ explorer: Explorer, _ runner: Runner, _ access: ProcessAccess = .notAsked) {
    self.explorer = explorer
    self.runner = runner
    self.access = access
    numbering = Numbering(explorer)
    runner.recorder.end(within: explorer.budget.time)
    report = Explorer.Report(name: explorer.name, seed: explorer.seed)
    report.overlaps = runner.overlaps
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
    if explorer.shard != nil { report.keepDigests() }
  }

  /// Something is left to try, and to find.
  private mutating func interrupted() {
    guard !isSatisfied else { return }
    report.interruption =
      runner.isToStop ? .stopped : isOutOfTime ? .outOfTime : costly >= Self.mostCostly ? .tooCostly : nil
  }

  /// Whether the schedules so far were of whole steps, and tasks share what only an overlap of steps can show.
  private var needsLevel: Bool { runner.needsOverlap && !runner.overlaps }

  /// Begins anew with steps that may overlap, where that is needed. What was found stays; what was covered is not claimed.
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
      for schedule in explorer.first where !hasEscaped { step(under: schedule) }
      if isLongByNature, !isDone {
        // A strategy that watched it would note millions of choices.
        step(under: natural)
        hasRunNaturally = true
      }
      if let deviations = explorer.budget.exhaustsDeviations {
        spend(on: Strategies.DelayBounded(atMost: deviations))
        if report.coverage == .everySchedule { return }
      }
      if let bound = explorer.budget.exhaustsStories { spend(on: Strategies.Stories(bound)) }
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
    reduced = goal == .everyBehaviour ? BehaviourCounts() : nil
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
    // What random schedules leave out, the search may have had no need of.
    let leftUnfairOut = report.leftUnfairOut
    if covered == .everyBehaviour, let reduced { sample(besides: reduced, after: schedules) }
    report.covered(covered, schedules: schedules, of: goal, leftUnfairOut: leftUnfairOut)
  }

  private mutating func watchNaturalOrder() {
    runner.watching { step() }
    runner.roundEnded()
  }

  /// The first round is one execution: what the natural order teaches may be used at once.
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
    // If a task calls and is cancelled, it does not want the answer any more.
    isSatisfied || needsLevel || runner.isToStop || costly >= Self.mostCostly || Task.isCancelled
      || isOutOfTime || report.isToBeMadeFresh
  }

  /// Whether the budget is spent, or all that was looked for has been seen.
  var isSatisfied: Bool {
    if number >= numbering.end || hasEscaped { return true }
    if numbering.shard == nil, report.schedules >= numbering.end { return true }
    guard let wanted = explorer.budget.stopsAfter, !report.violations.isEmpty else { return false }
    return wanted.isSubset(of: report.violations.lazy.map(\.invariant))
  }

  mutating func step(under schedule: Schedule) {
    runner.replaying(schedule) { _ = step() }
  }

  /// Runs the next schedule; answers how it went, if anything can be concluded from it.
  @discardableResult
  mutating func step() -> Strategies.ExecutionSummary? {
    let summary = conclude(runner.execute(number, seed: explorer.seed, keepingEvents: false))
    if let summary { compareWithFresh(summary) }
    return summary
  }

  /// Concludes what `first` shows, the last execution.
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
    reduced?.count(outcome.summary.behaviour)
    explorer.recorder?.schedules = report.schedules
    explorer.recorder?.behaviours = report.behaviours
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

  /// Whether work has escaped. Then nothing else can be concluded, and the search is over.
  private var hasEscaped: Bool { report.hasViolation(of: Invariant.BuiltIn.escape) }

  /// Whether a step has waited for what it can have where steps overlap, as they are about to.
  func isForWholeStepsOnly(_ outcome: Runner.Outcome) -> Bool {
    needsLevel && outcome.needsOverlap && outcome.execution?.ending == .escaped
  }

  /// Reports that work escapes in `outcome`, if it does. The schedule is replayed for its events, unless the program was
  /// left in its middle: it may hold a lock.
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

  /// A violation is reported only when its schedule, replayed, shows it again with the same trace.
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
    let inFresh = zygote?.observe(found.schedule, number: number - 1, seed: explorer.seed)
    let confirmed = again.violations.filter { invariants.contains($0.invariant) }
    // Told before it is made smaller, which may take long, and again when it is.
    explorer.found?(confirmed.filter { !report.hasViolation(of: $0.invariant) })
    for violation in confirmed {
      report.add(judged(violation, of: found, inFresh))
      explorer.found?(report.violations.filter { $0.invariant == violation.invariant })
    }
  }

  mutating func reduced(_ violation: Invariant.Violation, of found: Simulation.Execution)
    -> Invariant.Violation
  {
    guard explorer.budget.shrinking > 0, !runner.isToStop, !runner.isTooLate else { return violation }
    if found.isLong, found.schedule.deviations.isEmpty { return violation.provedByOneReplay(of: found) }
    let reduction = Reduction(
      runner: runner, seed: explorer.seed, limit: explorer.budget.shrinking,
      time: explorer.budget.shrinkingTime)
    switch reduction.reduce(violation, of: found) {
    case .smaller(let smaller): return smaller
    case .unstable where isSlow(violation), .lost where isSlow(violation):
      report.warn(Self.isTooCostly)
    case .unstable where runner.isTooLate, .lost where runner.isLate:
      report.warn("not shrunk: the time of the search was over")
    case .unstable(let one, let other): report.add(nondeterminism(one, other))
    case .lost: report.add(nondeterminism(found, found))
    }
    return violation
  }

  private func isSlow(_ violation: Invariant.Violation) -> Bool {
    costly > 0 && Invariant.BuiltIn.takesTime(violation.invariant)
  }

  /// Two executions of one schedule differ. Where work escapes that is no wonder: it comes back when its
  /// thread pleases.
  mutating func addDifference(_ first: Simulation.Execution, _ second: Simulation.Execution) {
    let violations = second.violations + first.violations
    report.add(violations.first { $0.invariant == Invariant.BuiltIn.escape } ?? nondeterminism(first, second))
  }

  /// The schedule of `execution` once more, with its events.
  private func replayed(_ execution: Simulation.Execution, as number: Int) -> Simulation.Execution {
    runner.replaying(execution.schedule) { runner.observe(number, seed: explorer.seed) }
  }

  func nondeterminism(_ first: Simulation.Execution, _ second: Simulation.Execution)
    -> Invariant.Violation
  {
    Invariant.Violation(
      invariant: Invariant.BuiltIn.nondeterminism, diagnosis: .nondeterminism,
      message: Explorer.Divergence.between(first, second, again: replayed(first, as: number)),
      time: second.end,
      step: second.steps,
      number: number, token: first.token, trace: second.trace)
  }
}
