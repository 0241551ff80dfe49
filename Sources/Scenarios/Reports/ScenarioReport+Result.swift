import ScenarioFiles
import Simulator

extension ScenarioReport {
  /// The report of a scenario that stands in `file`. A violation that the file knows is explained only where
  /// `explainsAll`.
  init(
    _ result: ScenarioResult, file: String, isStrict: Bool, explainsAll: Bool = true, draws: Bool = false,
    in shards: ShardSet? = nil
  ) {
    let variants = result.variants.map {
      VariantReport(
        $0, of: result.scenario, file: file, isStrict: isStrict, explainsAll: explainsAll, draws: draws,
        in: shards)
    }
    self.init(result, variants, file: file, isStrict: isStrict, in: shards)
  }

  /// The report of a scenario whose variants have theirs.
  init(
    _ result: ScenarioResult, _ variants: [VariantReport], file: String, isStrict: Bool,
    in shards: ShardSet? = nil
  ) {
    let scenario = result.scenario
    let isPart = shards.map { !$0.isWhole } ?? false
    self.init(
      file: file, position: scenario.position, name: scenario.name, about: scenario.about,
      system: scenario.system, search: scenario.search, untested: isPart ? [] : result.vacuities,
      isStrict: isStrict, variants: variants, unused: isPart ? result.untested : nil)
  }
}

extension VariantReport {
  /// The report of a variant of `scenario`, which stands in `file`. A violation that the file knows is explained only
  /// where `explainsAll`: finding its source lines takes time.
  init(
    _ result: VariantResult, of scenario: Scenario, file: String, isStrict: Bool, explainsAll: Bool,
    draws: Bool = false, in shards: ShardSet? = nil
  ) {
    let report = result.report
    let expected = result.expectation.violated
    let violations = report.violations.map { violation in
      let isExpected = result.expectation.isOpen || expected.contains(violation.invariant)
      return ViolationReport(
        violation, isExpected: isExpected, isExplained: explainsAll || !isExpected, isDrawn: draws,
        shard: shards?.held.first,
        replayCommand: ReplayCommand.line(file, scenario.name, result.variant, violation.token))
    }
    self.init(
      name: result.variant, expected: expected,
      violations: shards == nil ? violations : violations.inOrder,
      replays: result.replays.map(ReplayReport.init), schedules: report.schedules,
      failures: report.failures, behaviors: report.behaviors, steps: report.steps,
      coverage: CoverageReport(report), shortfall: report.shortfall,
      goodTuringEstimate: report.goodTuringEstimate, cancellations: report.cancellations,
      vacuous: (report.vacuous ?? []).sorted(), warnings: report.warnings, isStrict: isStrict,
      duration: result.duration, interruption: report.interruption,
      processes: report.processes, notLookedFor: result.expectation.notLookedFor,
      mayBeUntested: result.expectation.mayBeUntested, untested: result.untested,
      stories: result.stories, growth: shards == nil ? report.growth : [], occurrences: report.occurrences,
      sharded: shards.map { ShardedSearch(report, in: $0) })
  }
}

extension ViolationReport {
  fileprivate init(
    _ violation: Invariant.Violation, isExpected: Bool, isExplained: Bool, isDrawn: Bool, shard: Int?,
    replayCommand: String
  ) {
    let explanation = Explorer.Explanation(violation)
    let charts = isDrawn ? Explorer.Explanation.charts(violation) : nil
    self.init(
      invariant: violation.invariant, isExpected: isExpected, race: violation.diagnosis?.name,
      headline: explanation.headline, evidence: violation.evidence, message: violation.message,
      time: violation.time, step: violation.step, number: violation.number,
      token: "\(violation.token)", isReplayable: violation.isReducible, replayCommand: replayCommand,
      shrinking: violation.shrinking.map(ShrinkingReport.init),
      timeline: isExplained ? explanation.timeline?.entries ?? [] : [],
      nearestPassing: isExplained
        ? violation.shrinking?.nearestPassing.map { NearestPassingReport($0, charts?.passing) } : nil,
      chart: charts?.failing,
      explanation: isExplained ? explanation.body : explanation.headline,
      freshReplay: violation.freshReplay, shard: shard)
  }
}

extension ShardedSearch {
  fileprivate init(_ report: Explorer.Report, in shards: ShardSet) {
    let part = VariantPart(report)
    self.init(
      searching: report.schedules > 0 || !report.violations.isEmpty ? 1 : 0, isPart: !shards.isWhole,
      mayHaveMoreBehaviors: !part.behaviors.isWhole, part: shards.isWhole ? nil : part)
  }
}

extension ShrinkingReport {
  fileprivate init(_ shrinking: Invariant.Shrinking) {
    let isMinimal =
      switch shrinking.minimality {
      case .proved: true
      case .exhausted: shrinking.deviations.isEmpty
      }
    self.init(
      found: shrinking.found.deviations.count, choices: shrinking.choices,
      deviations: shrinking.deviations, isMinimal: isMinimal, executions: shrinking.executions,
      reproduced: Explorer.Ratio(count: shrinking.reproduced, total: shrinking.replayed))
  }
}

extension NearestPassingReport {
  fileprivate init(_ nearest: Invariant.NearestPassing, _ chart: Explorer.Chart?) {
    self.init(
      token: "\(nearest.token)", agreed: nearest.agreed, passing: nearest.passing, failing: nearest.failing,
      chart: chart)
  }
}

extension CoverageReport {
  fileprivate init?(_ report: Explorer.Report) {
    guard let kind = report.coverage, let text = report.coveredText else { return nil }
    self.init(kind: kind, schedules: report.coveredSchedules, text: text)
  }
}

extension ReplayReport {
  fileprivate init(_ replayed: ReplayedToken) {
    let outcome: Outcome =
      switch replayed.outcome {
      case .reproduced(let invariants): .reproduced(invariants)
      case .hint: .hint
      case .harmless: .harmless
      case .diverged(let divergence): .diverged("\(divergence)")
      case .unreadable(let error): .unreadable("\(error)")
      }
    self.init(token: replayed.replay.token, position: replayed.replay.position, outcome: outcome)
  }
}
