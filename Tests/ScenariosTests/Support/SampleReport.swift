import Simulator
import SimulatorReports

@testable import ScenarioFiles
@testable import Scenarios

/// Reports to render.
enum SampleReport {
  /// Two real scenarios, of which one violates what nobody expected and lacks what was expected.
  static let real: RunReport = {
    let text = """
      { "version": 1, "scenarios": [
        { "name": "slow", "about": "The user leaves.", "system": "slow-dismiss",
          "world": { "network": { "GET /profile": { "delay": "5s" } } },
          "script": [ { "do": "open" }, { "do": "leave", "at": "2s" } ],
          "check": [ "nothing-after-dismissal", "no-orphaned-write" ], "search": { "schedules": 20 },
          "expect": { "naive": [ "nothing-after-dismissal" ], "hardened": [ "no-orphaned-write" ] },
          "replays": { "naive": [ "debug/#00000000", "release/#00000000" ] } },
        { "name": "anytime", "about": "At any moment.", "system": "slow-dismiss",
          "world": { "network": { "GET /profile": { "delay": "5s", "reply": [ "ok", "offline" ] } } },
          "script": [ { "do": "open" }, { "do": "leave", "at": "anytime" } ],
          "check": [ "nothing-after-dismissal" ],
          "search": { "schedules": 200, "exhaust": { "deviations": 1 }, "seed": 18446744073709551615 },
          "expect": { "naive": [ "nothing-after-dismissal" ], "hardened": "holds" } } ] }
      """
    return report(of: text)
  }()

  /// A run of the scenarios in `text`.
  static func report(of text: String, isStrict: Bool = false) -> RunReport {
    let scenarios = (try? ScenarioFile(Array(text.utf8), named: "t.json", in: Catalogued.vocabulary))?
      .scenarios
    var report = RunReport()
    (report.seeds, report.isStrict) = ([0], isStrict)
    report.scenarios = (scenarios ?? []).map { scenario in
      ScenarioReport(
        ScenarioRunner(scenario: scenario, type: scenario.type).run(), file: "t.json",
        ReportConditions(isStrict: isStrict))
    }
    return report
  }

  /// A chart in which every text is `text`.
  private static func chart(of text: String) -> Explorer.Chart {
    var row = Explorer.Chart.Row(nanoseconds: 1_000, step: 2, lane: 0, text: text)
    (row.task, row.cause, row.call, row.isMarked) = (1, 1, 1, true)
    row.changes = [Explorer.Chart.Change(name: text, before: text, after: text)]
    row.places = [Explorer.Chart.Place(function: text, file: text, line: 3, text: text)]
    var verdict = Explorer.Chart.Row(nanoseconds: 2_000, step: 2, lane: nil, text: text)
    verdict.isVerdict = true
    let lanes = [Explorer.Chart.Lane(name: text, kind: .actor)]
    return Explorer.Chart(
      lanes: lanes, rows: [row, verdict], initial: [text], leftOut: 2, difference: 0)
  }

  /// A report in which every text is `text`, so that each rendering has to cope with it wherever it tells it.
  static func full(of text: String, isStrict: Bool = true, in shards: ShardSet? = nil) -> RunReport {
    var violation = ViolationReport()
    (violation.invariant, violation.diagnosis, violation.evidence) = (text, text, text)
    (violation.message, violation.token, violation.text) = (text, text, text)
    (violation.nanoseconds, violation.step, violation.number) = (1_500_000_000, 3, 2)
    (violation.isReplayable, violation.shard) = (true, shards?.held.first)
    violation.replayCommand = ReplayCommand.line(
      text, "scenario", "variant", Schedule.Token(schedule: .natural, digest: 1))
    var shrinking = ShrinkingReport()
    (shrinking.found, shrinking.choices, shrinking.deviations) = (2, 9, [text])
    (shrinking.minimality, shrinking.isOutOfTime) = (.exhausted(below: 2, tried: 4), true)
    (shrinking.executions, shrinking.reproduced, shrinking.replayed) = (7, 10, 10)
    var nearest = NearestPassingReport()
    (nearest.token, nearest.passing, nearest.failing) = (text, text, text)
    (nearest.agreed, nearest.chart) = (4, chart(of: text))
    (violation.shrinking, violation.nearestPassing) = (shrinking, nearest)
    violation.chart = chart(of: text)
    let place = SourcePosition(line: 7, column: 5)
    var variant = VariantReport()
    (variant.name, variant.expected, variant.violations) = (text, [text + "?"], [violation])
    variant.replays = [ReplayReport.Outcome.diverged, .unreadable].map {
      ReplayReport(token: text, position: place, outcome: $0, detail: text)
    }
    (variant.schedules, variant.failures, variant.behaviors, variant.steps) = (3, 1, 2, 9)
    variant.coverage = CoverageReport(
      goal: CoverageGoal(.deviations(atMost: 2)), schedules: 3, text: text)
    variant.goodTuringEstimate = Explorer.Ratio(count: 1, total: 3)
    variant.shortfall = ShortfallReport(
      goal: CoverageGoal(.everyBehavior), reason: .unseenState, unseen: text)
    variant.untriedPairs = Explorer.UntriedPairs(count: 9, mayBeMore: true, examples: [text])
    (variant.vacuous, variant.warnings, variant.notLookedFor) = ([text], [text], [text])
    (variant.mayBeUntested, variant.occurrences, variant.isStrict) = ([text], [text: false], isStrict)
    variant.mustTestNothing = [text]
    if shards == nil {
      variant.milliseconds = 1_234
    } else {
      (variant.processes.shards, variant.mayHaveMoreBehaviors) = (2, true)
    }
    var scenario = ScenarioReport()
    (scenario.file, scenario.position, scenario.name, scenario.about) = (text, place, text, text)
    (scenario.system, scenario.isStrict, scenario.variants) = (text, isStrict, [variant])
    scenario.untested = [Unused(name: text, text: text, within: text, variant: text)]
    var report = RunReport()
    (report.seeds, report.isStrict, report.shards, report.scenarios) = ([0], isStrict, shards, [scenario])
    if shards == nil {
      report.recorded = [RecordedSchedule(file: text, scenario: text, variant: text, token: text)]
      report.milliseconds = 61_005
    }
    return report
  }
}
