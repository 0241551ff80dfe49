import Simulator
import SimulatorReports

// The report of several shards. Joining them does not depend on their order, nor on which are joined first: each number is a
// sum, a union, an intersection, a largest or a smallest one.

extension RunReport {
  /// The report of the shards of both, which are of one run and have no shard in common.
  func joined(with other: RunReport) -> RunReport {
    guard var both = shards, let others = other.shards else { return self }
    both.held = (both.held + others.held).sorted()
    var report = self
    report.shards = both
    report.scenarios = zip(scenarios, other.scenarios).map { $0.joined(with: $1, in: both) }
    report.ending.reason = RunEnding.Reason.worse(ending.reason, other.ending.reason)
    report.warnings = Set(warnings + other.warnings).sorted()
    report.milliseconds = nil
    return report
  }
}

extension RunEnding.Reason {
  /// How two runs together have ended.
  fileprivate static func worse(_ one: Self, _ other: Self) -> Self {
    switch (one, other) {
    case (.signal(let first), .signal(let second)): .signal(max(first, second))
    case (.signal, _): one
    case (_, .signal): other
    default: one == .timeLimit ? one : other
    }
  }
}

extension ScenarioReport {
  fileprivate func joined(with other: ScenarioReport, in shards: ShardSet) -> ScenarioReport {
    var scenario = self
    scenario.variants = zip(variants, other.variants).map { $0.joined(with: $1) }
    let unused = (unused ?? []).filter(Set(other.unused ?? []).contains)
    guard shards.isWhole else {
      scenario.unused = unused
      return scenario
    }
    let isCutShort = scenario.variants.contains { $0.isStopped || $0.isNotJudged }
    scenario.unused = nil
    scenario.untested = ScenarioResult.vacuities(
      isCutShort ? [] : unused, of: scenario.variants.map(\.tested))
    for index in variants.indices { scenario.variants[index].part = nil }
    return scenario
  }
}

extension VariantReport {
  /// The report of both, as that of a part of the run.
  fileprivate func joined(with other: VariantReport) -> VariantReport {
    let both = [self, other]
    let behaviors = digests.united(with: other.digests)
    var variant = self
    variant.violations = Self.violations(violations, other.violations)
    // One shard alone has replayed them.
    variant.replays = replays.isEmpty ? other.replays : replays
    variant.schedules += other.schedules
    variant.failures += other.failures
    variant.steps += other.steps
    variant.behaviors = behaviors.fewest
    variant.mayHaveMoreBehaviors = !behaviors.isWhole
    variant.part = VariantPart(
      behaviors: BehaviorList(behaviors.entries),
      hasAtomicSteps: both.contains { $0.part?.hasAtomicSteps == true },
      hasPreemptibleSteps: both.contains { $0.part?.hasPreemptibleSteps == true },
      untested: Self.untested(part?.untested, other.part?.untested))
    let pairs = timerPairs.united(with: other.timerPairs)
    variant.part?.timerPairs = pairs
    variant.untriedPairs = variant.violations.isEmpty ? pairs.untried : nil
    (variant.coverage, variant.shortfall) = Self.coverage(of: both, variant)
    variant.goodTuringEstimate = Self.estimate(of: both, behaviors)
    variant.cancellations = cancellations ?? other.cancellations
    variant.vacuous = Self.vacuous(self, other)
    variant.warnings = Self.warnings(self, other)
    variant.interruption = Self.worse(interruption, other.interruption)
    variant.processes = Self.processes(self, other)
    variant.stories = StoryCoverage.joined(both.compactMap(\.stories))
    variant.occurrences = occurrences.merging(other.occurrences) { $0 || $1 }
    variant.milliseconds = nil
    return variant
  }

  private var digests: Explorer.BehaviorDigests {
    Explorer.BehaviorDigests(
      entries: part?.behaviors.entries ?? [], fewest: behaviors, isWhole: !mayHaveMoreBehaviors)
  }

  private var timerPairs: Explorer.TimerPairs { part?.timerPairs ?? Explorer.TimerPairs() }

  /// Of each invariant the violation whose schedule has the lowest number.
  private static func violations(_ one: [ViolationReport], _ other: [ViolationReport]) -> [ViolationReport] {
    var seen: Set<String> = []
    return (one + other).inOrder.filter { seen.insert($0.invariant).inserted }
  }

  /// What one shard alone has covered, unless both together show that it covers less.
  private static func coverage(
    of both: [VariantReport], _ found: VariantReport
  ) -> (CoverageReport?, shortfall: ShortfallReport?) {
    let shortfall = both.compactMap(\.shortfall).first
    guard let coverage = both.compactMap(\.coverage).first else { return (nil, shortfall) }
    let doubts = [Invariant.BuiltIn.nondeterminism, Invariant.BuiltIn.escape]
    let isDoubted = found.violations.contains { doubts.contains($0.invariant) }
    let isMixed = found.part.map { $0.hasAtomicSteps && $0.hasPreemptibleSteps } ?? false
    guard isDoubted || isMixed else { return (coverage, shortfall) }
    // One reason for all: it must not depend on which was met first.
    return (nil, ShortfallReport(goal: coverage.goal, reason: .shardsDiffer))
  }

  private static func estimate(
    of both: [VariantReport], _ behaviors: Explorer.BehaviorDigests
  ) -> Explorer.Ratio? {
    let total = both.reduce(0) { $0 + ($1.goodTuringEstimate?.total ?? 0) }
    guard total > 0, behaviors.isWhole else { return nil }
    return Explorer.Ratio(count: behaviors.singles, total: total)
  }

  /// What had nothing to judge in either; a shard in which nothing counts says nothing.
  private static func vacuous(_ one: VariantReport, _ other: VariantReport) -> [String] {
    if one.schedules == 0 { return other.vacuous }
    if other.schedules == 0 { return one.vacuous }
    return one.vacuous.filter(other.vacuous.contains)
  }

  /// What neither has used or judged; one that says nothing changes nothing.
  private static func untested(_ one: [Unused]?, _ other: [Unused]?) -> [Unused]? {
    guard let one, let other else { return one ?? other }
    return one.filter(Set(other).contains)
  }

  /// Each once, and at the end the one that says why nothing was judged.
  private static func warnings(_ one: VariantReport, _ other: VariantReport) -> [String] {
    let reasons = [one.notJudged, other.notJudged].compactMap(\.self)
    let warnings = [one, other].flatMap { $0.isNotJudged ? $0.warnings.dropLast() : $0.warnings[...] }
    return Set(warnings).sorted() + [reasons.min()].compactMap(\.self)
  }

  private static func worse(
    _ one: Explorer.Report.Interruption?, _ other: Explorer.Report.Interruption?
  ) -> Explorer.Report.Interruption? {
    let all: [Explorer.Report.Interruption] = [.notJudged, .stopped, .tooCostly, .outOfTime]
    return all.first { $0 == one || $0 == other }
  }

  /// The least of what can be said; a shard that has tried nothing says nothing.
  private static func processes(_ one: VariantReport, _ other: VariantReport) -> ProcessesReport {
    let known = [one, other].filter(\.hasTried).map(\.processes)
    let order: [ProcessesReport.Kind] = [.one, .fewAndFresh, .oneAndFresh, .eachFresh]
    let kind = order.first { kind in known.contains { $0.kind == kind } }
    return ProcessesReport(
      kind: kind ?? other.processes.kind,
      why: kind == nil ? other.processes.why : known.filter { $0.kind == kind }.compactMap(\.why).min(),
      shards: (one.processes.shards ?? 0) + (other.processes.shards ?? 0))
  }
}

extension VariantReport {
  /// What the shards of which this is the report have left untested.
  fileprivate var tested: VariantTested {
    VariantTested(
      variant: name, vacuous: Set(vacuous), untested: isStopped || isNotJudged ? nil : part?.untested,
      mayBeUntested: mayBeUntested + mustTestNothing)
  }
}
