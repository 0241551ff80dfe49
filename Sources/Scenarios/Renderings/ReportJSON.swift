import Simulator

extension ReportFormat {
  /// One document, versioned, as `simrun schema report` describes it.
  static let json = ReportFormat(name: "json", explainsAll: true) { ReportJSON.tree($0).text + "\n" }
}

/// A report as one JSON document; `simrun schema report` describes it. What is nil is left out.
enum ReportJSON {
  static func tree(_ report: RunReport) -> JSONTree {
    let timings = report.hasTimings
    return JSONTree.object([
      ("version", .integer(RunReport.version)),
      ("tool", ["name": .string(ToolIdentity.name), "version": .string(ToolIdentity.version)]),
      ("build", .string(report.build.rawValue)),
      ("seeds", .array(report.seeds.map { .unsigned($0) })),
      ("strict", .bool(report.isStrict)),
      ("asExpected", .bool(report.isAsExpected)),
      ("summary", summary(report)),
      ("scenarios", .array(report.scenarios.map { scenario($0, timings) })),
      ("recorded", .array(report.recorded.map(recorded))),
      ("cutShort", report.cutShort.map { .string($0) }),
      ("milliseconds", timings ? milliseconds(report.duration) : nil),
    ])
  }

  private static func summary(_ report: RunReport) -> JSONTree {
    [
      "scenarios": .integer(report.scenarios.count), "variants": .integer(report.variants),
      "schedules": .integer(report.schedules), "steps": .integer(report.steps),
      "notAsExpected": .strings(report.notAsExpected), "outdated": .strings(report.outdated),
    ]
  }

  private static func scenario(_ scenario: ScenarioReport, _ timings: Bool) -> JSONTree {
    JSONTree.object([
      ("file", .string(scenario.file)),
      ("line", .integer(scenario.position.line)),
      ("column", .integer(scenario.position.column)),
      ("name", .string(scenario.name)),
      ("about", .string(scenario.about)),
      ("system", .string(scenario.system)),
      ("seed", .unsigned(scenario.search.seed)),
      ("strategy", .string(scenario.search.strategy)),
      ("budget", .integer(scenario.search.schedules)),
      ("asExpected", .bool(scenario.isAsExpected)),
      ("untested", .strings(scenario.untested)),
      ("variants", .array(scenario.variants.map { variant($0, timings) })),
      ("milliseconds", timings ? milliseconds(scenario.duration) : nil),
    ])
  }

  private static func variant(_ variant: VariantReport, _ timings: Bool) -> JSONTree {
    JSONTree.object([
      ("name", .string(variant.name)),
      ("asExpected", .bool(variant.isAsExpected)),
      ("holds", .bool(variant.holds)),
      ("expected", .strings(variant.expected)),
      ("violated", .strings(variant.violations.map(\.invariant))),
      ("unexpected", .strings(variant.unexpected.map(\.invariant))),
      ("noLongerFound", .strings(variant.noLongerFound)),
      ("schedules", .integer(variant.schedules)),
      ("failures", .integer(variant.failures)),
      ("behaviours", .integer(variant.behaviours)),
      ("steps", .integer(variant.steps)),
      ("exhaustion", variant.exhaustion.map(exhaustion)),
      ("shortfall", variant.shortfall.map { .string($0) }),
      ("interruption", variant.interruption.map { .string($0.text) }),
      ("chanceOfNews", variant.goodTuringEstimate.map(share)),
      ("cancellations", variant.cancellations.map(cancellations)),
      ("nothingToJudge", .strings(variant.vacuous)),
      ("warnings", .strings(variant.warnings)),
      ("replays", .array(variant.replays.map(replay))),
      ("violations", .array(variant.violations.map(violation))),
      ("milliseconds", timings ? milliseconds(variant.duration) : nil),
    ])
  }

  private static func violation(_ violation: ViolationReport) -> JSONTree {
    JSONTree.object([
      ("invariant", .string(violation.invariant)),
      ("expected", .bool(violation.isExpected)),
      ("race", violation.race.map { .string($0) }),
      ("headline", .string(violation.headline)),
      ("evidence", violation.evidence.map { .string($0) }),
      ("message", .string(violation.message)),
      ("nanoseconds", .integer(Int(violation.time.nanoseconds))),
      ("step", .integer(violation.step)),
      ("schedule", .integer(violation.number)),
      ("token", .string(violation.token)),
      ("replayable", .bool(violation.isReplayable)),
      ("replay", .string(violation.replayCommand)),
      ("shrinking", violation.shrinking.map(shrinking)),
      ("timeline", .array(violation.timeline.map(entry))),
      ("nearestPassing", violation.nearestPassing.map(nearest)),
    ])
  }

  private static func shrinking(_ shrinking: ShrinkingReport) -> JSONTree {
    [
      "found": .integer(shrinking.found), "choices": .integer(shrinking.choices),
      "deviations": .strings(shrinking.deviations), "minimal": .bool(shrinking.isMinimal),
      "executions": .integer(shrinking.executions), "reproduced": share(shrinking.reproduced),
    ]
  }

  private static func entry(_ entry: Timeline.Entry) -> JSONTree {
    JSONTree.object([
      ("nanoseconds", .integer(Int(entry.time.nanoseconds))),
      ("domain", entry.domain.map { .string($0) }),
      ("text", .string(entry.text)),
    ])
  }

  private static func nearest(_ nearest: NearestPassingReport) -> JSONTree {
    [
      "token": .string(nearest.token), "agreed": .integer(nearest.agreed),
      "passing": .string(nearest.passing), "failing": .string(nearest.failing),
    ]
  }

  private static func replay(_ replay: ReplayReport) -> JSONTree {
    let (outcome, detail): (String, String?) =
      switch replay.outcome {
      case .reproduced: ("reproduced", nil)
      case .hint: ("hint", nil)
      case .harmless: ("harmless", nil)
      case .diverged(let divergence): ("diverged", divergence)
      case .unreadable(let error): ("unreadable", error)
      }
    return JSONTree.object([
      ("token", .string(replay.token)),
      ("line", .integer(replay.position.line)),
      ("outcome", .string(outcome)),
      ("violated", .strings(replay.reproduced)),
      ("detail", detail.map { .string($0) }),
    ])
  }

  private static func exhaustion(_ exhaustion: ExhaustionReport) -> JSONTree {
    let (kind, deviations): (String, Int?) =
      switch exhaustion.kind {
      case .everySchedule: ("every-schedule", nil)
      case .deviations(let most): ("deviations", most)
      case .everyBehaviour: ("every-behaviour", nil)
      }
    return JSONTree.object([
      ("kind", .string(kind)),
      ("deviations", deviations.map { .integer($0) }),
      ("schedules", .integer(exhaustion.schedules)),
      ("text", .string(exhaustion.text)),
    ])
  }

  private static func recorded(_ schedule: RecordedSchedule) -> JSONTree {
    [
      "file": .string(schedule.file), "scenario": .string(schedule.scenario),
      "variant": .string(schedule.variant), "token": .string(schedule.token),
    ]
  }

  private static func cancellations(_ coverage: CancellationCoverage) -> JSONTree {
    ["points": .integer(coverage.points), "covered": .integer(coverage.covered)]
  }

  private static func share(_ share: Ratio) -> JSONTree {
    ["count": .integer(share.count), "total": .integer(share.total)]
  }

  private static func milliseconds(_ duration: Duration) -> JSONTree {
    .integer(Int(duration.wholeNanoseconds / 1_000_000))
  }
}

extension JSONTree {
  /// An object without the members that are nil.
  fileprivate static func object(_ members: [(String, JSONTree?)]) -> JSONTree {
    .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }
}
