import Simulator

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
  static func report(of text: String, isStrict: Bool = false, hasTimings: Bool = false) -> RunReport {
    let scenarios = (try? ScenarioFile(Array(text.utf8), named: "t.json", in: Catalogued.vocabulary))?
      .scenarios
    let reports = (scenarios ?? []).map { scenario in
      ScenarioReport(
        ScenarioRunner(scenario: scenario, type: scenario.type).run(), file: "t.json", isStrict: isStrict,
        draws: true)
    }
    return RunReport(
      build: .current, seeds: [0], isStrict: isStrict, hasTimings: hasTimings, scenarios: reports)
  }

  /// A chart in which every text is `text`.
  private static func chart(of text: String) -> Explorer.Chart {
    var row = Explorer.Chart.Row(nanoseconds: 1_000, step: 2, lane: 0, text: text)
    (row.task, row.cause, row.call, row.isMarked) = (1, 1, 1, true)
    row.places = [Explorer.Chart.Place(function: text, file: text, line: 3, text: text)]
    var verdict = Explorer.Chart.Row(nanoseconds: 2_000, step: 2, lane: nil, text: text)
    verdict.isVerdict = true
    let lanes = [Explorer.Chart.Lane(name: text, kind: .actor)]
    return Explorer.Chart(
      lanes: lanes, rows: [row, verdict], initial: [text], leftOut: 2, difference: 0)
  }

  /// A report in which every text is `text`, so that each rendering has to cope with it wherever it tells it.
  static func full(of text: String, isStrict: Bool = true, in shards: ShardSet? = nil) -> RunReport {
    let violation = ViolationReport(
      invariant: text, isExpected: false, race: text, headline: text, evidence: text, message: text,
      time: VirtualInstant(nanoseconds: 1_500_000_000), step: 3, number: 2, token: text, isReplayable: true,
      replayCommand: ReplayCommand.line(
        text, "scenario", "variant", Schedule.Token(schedule: .natural, digest: 1)),
      shrinking: ShrinkingReport(
        found: 2, choices: 9, deviations: [text], isMinimal: true, executions: 7,
        reproduced: Explorer.Ratio(count: 10, total: 10)),
      timeline: [Explorer.Timeline.Entry(time: .start, domain: text, text: text)],
      nearestPassing: NearestPassingReport(
        token: text, agreed: 4, passing: text, failing: text, chart: chart(of: text)),
      chart: chart(of: text),
      explanation: text, shard: shards?.held.first)
    let place = SourcePosition(line: 7, column: 5)
    let variant = VariantReport(
      name: text, expected: [text + "?"], violations: [violation],
      replays: [
        ReplayReport(token: text, position: place, outcome: .diverged(text)),
        ReplayReport(token: text, position: place, outcome: .unreadable(text)),
      ], schedules: 3, failures: 1, behaviors: 2, steps: 9,
      coverage: CoverageReport(kind: .deviations(atMost: 2), schedules: 3, text: text),
      shortfall: text, goodTuringEstimate: Explorer.Ratio(count: 1, total: 3), cancellations: nil,
      vacuous: [text],
      warnings: [text], isStrict: isStrict, duration: .milliseconds(1_234), notLookedFor: [text],
      mayBeUntested: [text], occurrences: [text: false],
      sharded: shards.map { _ in
        ShardedSearch(searching: 2, isPart: false, mayHaveMoreBehaviors: true, part: nil)
      })
    let scenario = ScenarioReport(
      file: text, position: place, name: text, about: text, system: text, search: Search(),
      untested: [text], isStrict: isStrict, variants: [variant])
    return RunReport(
      build: .current, seeds: [0], isStrict: isStrict, hasTimings: shards == nil, scenarios: [scenario],
      recorded: shards == nil
        ? [RecordedSchedule(file: text, scenario: text, variant: text, token: text)] : [],
      duration: .milliseconds(61_005), shards: shards)
  }
}
