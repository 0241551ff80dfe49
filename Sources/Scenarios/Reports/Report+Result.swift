import ScenarioFiles
import Simulator
import SimulatorReports

// The document, made from what a search has found.

/// The conditions under which results become a report.
struct ReportConditions {
  var isStrict = false
  var hasTimings = false
  /// Whether violations that the file expects are explained too: finding their source lines takes time.
  var explainsAll = true
  /// The shards that the report holds; nil if the run was not divided.
  var shards: ShardSet?

  fileprivate var isPart: Bool { shards.map { !$0.isWhole } ?? false }
}

extension RunRequest {
  /// The conditions of its report. A shard explains everything, since it is not known which formats the merged report will have.
  func conditions(in shards: ShardSet?) -> ReportConditions {
    ReportConditions(
      isStrict: isStrict, hasTimings: outputs.hasTimings, explainsAll: outputs.explainsAll || shards != nil,
      shards: shards)
  }
}

extension ScenarioReport {
  /// The report of a scenario, which is in `file`. Variants whose report is `ready` are not reported again.
  init(
    _ result: ScenarioResult, file: String, _ conditions: ReportConditions,
    ready: (String) -> VariantReport? = { _ in nil }
  ) {
    let scenario = result.scenario
    (self.file, position, name, about) = (file, scenario.position, scenario.name, scenario.about)
    (system, search, isStrict) = (scenario.system, scenario.search, conditions.isStrict)
    variants = result.variants.map {
      ready($0.variant) ?? VariantReport($0, of: scenario, file: file, conditions)
    }
    if conditions.isPart { unused = result.untested } else { untested = result.vacuities }
  }
}

extension VariantReport {
  /// The report of a variant of `scenario`, which is in `file`.
  init(_ result: VariantResult, of scenario: Scenario, file: String, _ conditions: ReportConditions) {
    let (report, shards) = (result.report, conditions.shards)
    (name, expected) = (result.variant, result.expectation.violated)
    (notLookedFor, mayBeUntested) = (result.expectation.notLookedFor, result.expectation.mayBeUntested)
    mustTestNothing = result.mustTestNothing
    (schedules, failures, steps) = (report.schedules, report.failures, report.steps)
    behaviors = report.behaviors
    if shards == nil { growth = report.growth }
    coverage = report.coverage.map {
      CoverageReport(
        goal: CoverageGoal($0), schedules: report.coveredSchedules, text: report.coveredText ?? "")
    }
    if let goal = report.incompleteCoverage, let reason = report.shortfallReason {
      shortfall = ShortfallReport(
        goal: CoverageGoal(goal), reason: reason,
        unseen: reason == .unseenState ? report.untrackedSharing : nil)
    }
    interruption = report.interruption
    (goodTuringEstimate, cancellations) = (report.goodTuringEstimate, report.cancellations)
    untriedPairs = report.untriedPairs
    (vacuous, occurrences) = ((report.vacuousInvariants ?? []).sorted(), report.occurrences)
    (stories, warnings, isStrict) = (result.stories, report.warnings, conditions.isStrict)
    replays = result.replays.map(ReplayReport.init)
    violations = report.violations.map { violation in
      let isExpected = result.expectation.isOpen || expected.contains(violation.invariant)
      var found = ViolationReport(
        violation, isExplained: conditions.explainsAll || !isExpected,
        replay: ReplayCommand.line(file, scenario.name, name, violation.token))
      (found.isExpected, found.shard) = (isExpected, shards?.held.first)
      return found
    }
    processes = ProcessesReport(report.processes)
    if let shards { divide(result, in: shards) }
    if conditions.hasTimings { milliseconds = result.duration.wholeMilliseconds }
  }

  /// Adds what it takes to join it with others: it is the report of one of `shards`.
  private mutating func divide(_ result: VariantResult, in shards: ShardSet) {
    let report = result.report
    // A search that was ended has not said which behaviors it had seen.
    let digests = report.digests ?? .none(isWhole: schedules == 0)
    violations = violations.inOrder
    processes.shards = hasTried ? 1 : 0
    mayHaveMoreBehaviors = !digests.isWhole
    guard !shards.isWhole else { return }
    part = VariantPart(
      behaviors: BehaviorList(digests.entries), hasAtomicSteps: schedules > 0 && !report.hasPreemptibleSteps,
      hasPreemptibleSteps: schedules > 0 && report.hasPreemptibleSteps, untested: result.untested)
    part?.timerPairs = report.pairs ?? Explorer.TimerPairs()
  }
}

extension Duration {
  var wholeMilliseconds: Int { Int(wholeNanoseconds / 1_000_000) }
}

extension [ViolationReport] {
  /// In the order of their schedules; of two shards, the lower one first. Those of one schedule stay as they were.
  var inOrder: [ViolationReport] {
    enumerated().sorted {
      ($0.element.number ?? 0, $0.element.shard ?? 0, $0.offset) < (
        $1.element.number ?? 0, $1.element.shard ?? 0, $1.offset
      )
    }.map(\.element)
  }
}

extension ReplayReport {
  fileprivate init(_ replayed: ReplayedToken) {
    (token, position) = (replayed.replay.token, replayed.replay.position)
    switch replayed.outcome {
    case .reproduced(let invariants): (outcome, violated) = (.reproduced, invariants)
    case .hint: outcome = .hint
    case .harmless: outcome = .harmless
    case .diverged(let divergence): (outcome, detail) = (.diverged, "\(divergence)")
    case .unreadable(let error): (outcome, detail) = (.unreadable, "\(error)")
    }
  }
}
