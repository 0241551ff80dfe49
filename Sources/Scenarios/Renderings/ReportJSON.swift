import ScenarioFiles
import Simulator

extension ReportFormat {
  /// One document, versioned, as `simrun schema report` describes it.
  static let json = ReportFormat(name: "json", explainsAll: true) { ReportJSON.tree($0).text + "\n" }
}

/// A report as one JSON document; `simrun schema report` describes it. What is nil is left out.
enum ReportJSON {
  static func tree(_ report: RunReport) -> JSONTree {
    let timings = report.hasTimings
    var object = JSONTree.Builder()
    object.add("version", RunReport.version)
    object.add("tool", tool)
    object.add("build", report.build.rawValue)
    object.add("seeds", report.seeds)
    object.add("shards", report.shards.map(shards))
    object.add("strict", report.isStrict)
    object.add("asExpected", report.isAsExpected)
    object.add("summary", summary(report))
    object.add("scenarios", report.scenarios.map { scenario($0, timings) })
    object.add("recorded", report.recorded.map(recorded))
    object.add("cutShort", report.cutShort)
    object.add("warnings", report.warnings.isEmpty ? nil : report.warnings)
    object.add("milliseconds", timings ? milliseconds(report.duration) : nil)
    return object.tree
  }

  private static var tool: JSONTree {
    ["name": .string(ToolIdentity.name), "version": .string(ToolIdentity.version)]
  }

  private static func summary(_ report: RunReport) -> JSONTree {
    [
      "scenarios": .integer(report.scenarios.count), "variants": .integer(report.variants),
      "schedules": .integer(report.schedules), "steps": .integer(report.steps),
      "notAsExpected": .strings(report.notAsExpected), "outdated": .strings(report.outdated),
    ]
  }

  private static func scenario(_ scenario: ScenarioReport, _ timings: Bool) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("file", scenario.file)
    object.add("line", scenario.position.line)
    object.add("column", scenario.position.column)
    object.add("name", scenario.name)
    object.add("about", scenario.about)
    object.add("system", scenario.system)
    object.add("seed", scenario.search.seed)
    object.add("strategy", scenario.search.strategy)
    object.add("budget", scenario.search.schedules)
    object.add("asExpected", scenario.isAsExpected)
    object.add("untested", scenario.untested)
    object.add("unused", scenario.unused.map { $0.map(unused) })
    object.add("variants", scenario.variants.map { variant($0, timings) })
    object.add("milliseconds", timings ? milliseconds(scenario.duration) : nil)
    return object.tree
  }

  private static func variant(_ variant: VariantReport, _ timings: Bool) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("name", variant.name)
    object.add("asExpected", variant.isAsExpected)
    object.add("holds", variant.holds)
    object.add("expected", variant.expected)
    object.add("violated", variant.violations.map(\.invariant))
    object.add("notLookedFor", variant.notLookedFor.isEmpty ? nil : variant.notLookedFor)
    object.add("unexpected", variant.unexpected.map(\.invariant))
    object.add("noLongerFound", variant.noLongerFound)
    object.add("schedules", variant.schedules)
    object.add("failures", variant.failures)
    object.add("behaviours", variant.behaviors)
    object.add("mayHaveMoreBehaviours", variant.sharded?.mayHaveMoreBehaviors == true ? true : nil)
    object.add("processes", processes(variant.processes, of: variant.sharded?.searching))
    object.add("steps", variant.steps)
    object.add("exhaustion", variant.coverage.map(coverage))
    object.add("shortfall", variant.shortfall)
    object.add("interrupted", variant.interruption?.name)
    object.add("interruption", variant.interruption?.text)
    object.add("notJudged", variant.notJudged)
    object.add("chanceOfNews", variant.goodTuringEstimate.map(share))
    object.add("cancellations", variant.cancellations.map(cancellations))
    object.add("nothingToJudge", variant.vacuous)
    object.add("mayBeUntested", variant.mayBeUntested.isEmpty ? nil : variant.mayBeUntested)
    object.add("happened", happened(variant, true))
    object.add("neverHappened", happened(variant, false))
    object.add("stories", variant.stories.map { $0.parts.map(stories) })
    object.add("warnings", variant.warnings)
    object.add("replays", variant.replays.map(replay))
    object.add("violations", variant.violations.map(violation))
    object.add("part", variant.sharded?.part.map { part($0, untested: variant.untested) })
    object.add("milliseconds", timings ? milliseconds(variant.duration) : nil)
    return object.tree
  }

  private static func happened(_ variant: VariantReport, _ isSo: Bool) -> JSONTree? {
    let names = variant.occurrences.filter { $0.value == isSo }.keys.sorted()
    return names.isEmpty ? nil : .strings(names)
  }

  private static func stories(_ part: StoryCoverage.Part) -> JSONTree {
    [
      "kind": .string(part.kind.rawValue), "tried": .strings(part.tried), "never": .strings(part.never),
    ]
  }

  private static func processes(_ processes: Explorer.Processes, of shards: Int?) -> JSONTree {
    let (kind, why): (String, String?) =
      switch processes {
      case .eachFresh: ("each-fresh", nil)
      case .oneAndFresh: ("one-and-fresh", nil)
      case .fewAndFresh: ("few-and-fresh", nil)
      case .one(let why): ("one", why)
      }
    var object = JSONTree.Builder()
    object.add("kind", kind)
    object.add("text", "\(processes)")
    object.add("why", why)
    object.add("shards", shards)
    return object.tree
  }

  private static func violation(_ violation: ViolationReport) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("invariant", violation.invariant)
    object.add("expected", violation.isExpected)
    object.add("race", violation.race)
    object.add("headline", violation.headline)
    object.add("evidence", violation.evidence)
    object.add("message", violation.message)
    object.add("nanoseconds", Int(violation.time.nanoseconds))
    object.add("step", violation.step)
    object.add("schedule", violation.number)
    object.add("shard", violation.shard)
    object.add("token", violation.token)
    object.add("replayable", violation.isReplayable)
    object.add("inFreshProcess", violation.freshReplay?.rawValue)
    object.add("replay", violation.replayCommand)
    object.add("shrinking", violation.shrinking.map(shrinking))
    object.add("timeline", violation.timeline.map(entry))
    object.add("nearestPassing", violation.nearestPassing.map { nearest($0, in: violation.shard) })
    object.add("chart", violation.shard == nil ? nil : violation.chart.map(chart))
    object.add("explanation", violation.shard == nil ? nil : violation.explanation)
    return object.tree
  }

  private static func shrinking(_ shrinking: ShrinkingReport) -> JSONTree {
    [
      "found": .integer(shrinking.found), "choices": .integer(shrinking.choices),
      "deviations": .strings(shrinking.deviations), "minimal": .bool(shrinking.isMinimal),
      "executions": .integer(shrinking.executions), "reproduced": share(shrinking.reproduced),
    ]
  }

  private static func entry(_ entry: Explorer.Timeline.Entry) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("nanoseconds", Int(entry.time.nanoseconds))
    object.add("domain", entry.domain)
    object.add("text", entry.text)
    return object.tree
  }

  private static func nearest(_ nearest: NearestPassingReport, in shard: Int?) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("token", nearest.token)
    object.add("agreed", nearest.agreed)
    object.add("passing", nearest.passing)
    object.add("failing", nearest.failing)
    object.add("chart", shard == nil ? nil : nearest.chart.map(chart))
    return object.tree
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
    var object = JSONTree.Builder()
    object.add("token", replay.token)
    object.add("line", replay.position.line)
    object.add("outcome", outcome)
    object.add("violated", replay.reproduced)
    object.add("detail", detail)
    return object.tree
  }

  private static func coverage(_ coverage: CoverageReport) -> JSONTree {
    let (kind, deviations, bound): (String, Int?, Strategies.StoryBound?) =
      switch coverage.kind {
      case .everySchedule: ("every-schedule", nil, nil)
      case .deviations(let most): ("deviations", most, nil)
      case .everyBehavior: ("every-behaviour", nil, nil)
      case .stories(let bound): ("stories", bound.deviations, bound)
      }
    var object = JSONTree.Builder()
    object.add("kind", kind)
    object.add("deviations", deviations)
    object.add("actions", bound?.actions)
    object.add("answers", bound?.answers)
    object.add("schedules", coverage.schedules)
    object.add("text", coverage.text)
    return object.tree
  }

  private static func recorded(_ schedule: RecordedSchedule) -> JSONTree {
    [
      "file": .string(schedule.file), "scenario": .string(schedule.scenario),
      "variant": .string(schedule.variant), "token": .string(schedule.token),
    ]
  }

  private static func cancellations(_ coverage: Explorer.CancellationCoverage) -> JSONTree {
    ["points": .integer(coverage.points), "covered": .integer(coverage.covered)]
  }

  private static func share(_ share: Explorer.Ratio) -> JSONTree {
    ["count": .integer(share.count), "total": .integer(share.total)]
  }

  private static func milliseconds(_ duration: Duration) -> JSONTree {
    .integer(Int(duration.wholeNanoseconds / 1_000_000))
  }
}

extension Explorer.Report.Interruption {
  static let all: [Self] = [.stopped, .outOfTime, .tooCostly, .notJudged]

  /// Its name in a report.
  var name: String {
    switch self {
    case .stopped: "stopped"
    case .outOfTime: "out-of-time"
    case .tooCostly: "too-costly"
    case .notJudged: "not-judged"
    }
  }
}
