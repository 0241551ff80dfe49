import Simulator

// The report of several shards. Joining them does not depend on their order, nor on which are joined first: each number is a
// sum, a union, an intersection, a largest or a smallest one.

extension RunReport {
  /// The report of the shards of both, which are of one run and have no shard in common.
  func joined(with other: RunReport) -> RunReport {
    guard let own = shards, let others = other.shards else { return self }
    let both = ShardSet(
      count: own.count, held: (own.held + others.held).sorted(), run: own.run,
      isInterrupted: own.isInterrupted || others.isInterrupted)
    var report = self
    report.shards = both
    report.scenarios = zip(scenarios, other.scenarios).map { $0.joined(with: $1, in: both) }
    report.ending.reason = RunEnding.Reason.worse(ending.reason, other.ending.reason)
    report.warnings = Set(warnings + other.warnings).sorted()
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
    let variants = zip(variants, other.variants).map { $0.joined(with: $1, in: shards) }
    let others = Set(other.unused ?? [])
    let unused = (unused ?? []).filter(others.contains)
    let isCutShort = variants.contains { $0.isStopped || $0.isNotJudged }
    let untested = ScenarioResult.vacuities(
      isCutShort ? [] : unused, of: variants.map(\.tested))
    return ScenarioReport(
      file: file, position: position, name: name, about: about, system: system, search: search,
      untested: shards.isWhole ? untested : [], isStrict: isStrict, variants: variants,
      unused: shards.isWhole ? nil : unused)
  }
}

extension VariantReport {
  fileprivate func joined(with other: VariantReport, in shards: ShardSet) -> VariantReport {
    let found = Self.violations(violations, other.violations)
    let part = VariantPart.joined(sharded?.part, other.sharded?.part)
    let (coverage, shortfall) = Self.coverage(of: [self, other], found, part)
    return VariantReport(
      name: name, expected: expected, violations: found,
      // One shard alone has replayed them.
      replays: replays.isEmpty ? other.replays : replays,
      schedules: schedules + other.schedules, failures: failures + other.failures,
      behaviors: part.behaviors.fewest, steps: steps + other.steps, coverage: coverage,
      shortfall: shortfall, goodTuringEstimate: Self.estimate(of: [self, other], part),
      cancellations: cancellations ?? other.cancellations, vacuous: Self.vacuous(self, other),
      warnings: Self.warnings(self, other), isStrict: isStrict, duration: .zero,
      interruption: Self.worse(interruption, other.interruption),
      processes: Self.processes(self, other), notLookedFor: notLookedFor, mayBeUntested: mayBeUntested,
      untested: Self.untested(untested, other.untested),
      stories: StoryCoverage.joined([stories, other.stories].compactMap(\.self)),
      occurrences: occurrences.merging(other.occurrences) { $0 || $1 },
      sharded: ShardedSearch(
        searching: (sharded?.searching ?? 0) + (other.sharded?.searching ?? 0), isPart: !shards.isWhole,
        mayHaveMoreBehaviors: !part.behaviors.isWhole, part: shards.isWhole ? nil : part))
  }

  /// Of each invariant the violation whose schedule has the lowest number.
  private static func violations(_ one: [ViolationReport], _ other: [ViolationReport]) -> [ViolationReport] {
    var seen: Set<String> = []
    return (one + other).inOrder.filter { seen.insert($0.invariant).inserted }
  }

  /// What one shard alone has covered, unless another shows that it stands for less.
  private static func coverage(
    of both: [VariantReport], _ found: [ViolationReport], _ part: VariantPart
  ) -> (CoverageReport?, shortfall: String?) {
    let shortfall = both.compactMap(\.shortfall).first
    guard let coverage = both.compactMap(\.coverage).first else { return (nil, shortfall) }
    let doubts = [Invariant.BuiltIn.nondeterminism, Invariant.BuiltIn.escape]
    let isDoubted = found.contains { doubts.contains($0.invariant) }
    guard isDoubted || part.hasWholeSteps && part.hasOverlappingSteps else { return (coverage, shortfall) }
    // One sentence for all reasons: it must not depend on which was met first.
    return (
      nil,
      "not \(coverage.kind.goalText): other shards found that the program does not repeat itself, that work escapes, or "
        + "that steps must be left in their middle"
    )
  }

  private static func estimate(of both: [VariantReport], _ part: VariantPart) -> Explorer.Ratio? {
    let total = both.reduce(0) { $0 + ($1.goodTuringEstimate?.total ?? 0) }
    guard total > 0, part.behaviors.isWhole else { return nil }
    return Explorer.Ratio(count: part.behaviors.singles, total: total)
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
    let others = Set(other)
    return one.filter(others.contains)
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
  private static func processes(_ one: VariantReport, _ other: VariantReport) -> Explorer.Processes {
    if !one.hasTried { return other.processes }
    if !other.hasTried { return one.processes }
    switch (one.processes, other.processes) {
    case (.one(let why), .one(let reason)): return .one(why: [why, reason].compactMap(\.self).min())
    case (.one, _): return one.processes
    case (_, .one): return other.processes
    case (.fewAndFresh, _): return one.processes
    case (_, .fewAndFresh): return other.processes
    case (.oneAndFresh, _): return one.processes
    default: return other.processes
    }
  }
}

extension VariantPart {
  /// Where nothing is known of one, there may be more than is known of the other.
  fileprivate static func joined(_ one: VariantPart?, _ other: VariantPart?) -> VariantPart {
    let parts = [one, other]
    return VariantPart(
      behaviors: parts.reduce(.none(isWhole: true)) { all, part in
        all.united(with: part?.behaviors ?? .none(isWhole: false))
      },
      hasWholeSteps: parts.contains { $0?.hasWholeSteps == true },
      hasOverlappingSteps: parts.contains { $0?.hasOverlappingSteps == true })
  }
}
