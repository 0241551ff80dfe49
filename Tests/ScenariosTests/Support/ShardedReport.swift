import Simulator

@testable import ScenarioFiles
@testable import Scenarios

/// A run of three scenarios in shards, in this process.
enum ShardedReport {
  static let identity = RunIdentity(executable: "e", files: "f", options: ["--seed=1"])

  /// One violates what nobody expected and has recorded schedules, one is searched by a bound too, and one tests nothing.
  static let text = """
    { "version": 1, "scenarios": [
      { "name": "slow", "about": "The user leaves.", "system": "slow-dismiss",
        "world": { "network": { "GET /profile": { "delay": "5s" } }, "store": { "write": { "fails": [ "never", "before-commit" ] } } },
        "script": [ { "do": "open" }, { "do": "leave", "at": "2s" } ],
        "check": [ "nothing-after-dismissal", "no-orphaned-write" ], "search": { "schedules": 150 },
        "expect": { "naive": [ "nothing-after-dismissal" ], "hardened": [ "no-orphaned-write" ] },
        "replays": { "naive": [ "debug/#00000000", "release/#00000000" ] } },
      { "name": "anytime", "about": "At any moment.", "system": "slow-dismiss",
        "world": { "network": { "GET /profile": { "delay": "5s", "reply": [ "ok", "offline" ] } } },
        "script": [ { "do": "open" }, { "do": "leave", "at": "anytime" } ],
        "check": [ "nothing-after-dismissal" ],
        "search": { "schedules": 200, "exhaust": { "deviations": 1 }, "seed": 18446744073709551615 },
        "expect": { "naive": [ "nothing-after-dismissal" ], "hardened": "holds" } },
      { "name": "nobody", "about": "Nobody opens.", "system": "slow-dismiss",
        "world": { "network": { "GET /profile": { "delay": "5s", "reply": [ "ok", "offline" ] } } },
        "script": [ { "do": "leave" } ], "check": [ "no-orphaned-write" ], "search": { "schedules": 5 },
        "expect": { "naive": "holds", "hardened": "holds" } } ] }
    """

  /// The reports of five shards.
  static let five = all(5)

  static func all(_ count: Int, of text: String = text, isStrict: Bool = false) -> [RunReport] {
    let scenarios =
      (try? ScenarioFile(Array(text.utf8), named: "t.json", in: Catalogued.vocabulary))?.scenarios ?? []
    return ShardNumber.all(count).map { shard in
      let set = ShardSet(count: count, held: [shard.index], run: identity)
      let reports = scenarios.map { scenario in
        var runner = ScenarioRunner(scenario: scenario, type: scenario.type)
        runner.shard = shard
        return ScenarioReport(
          runner.run(), file: "t.json", ReportConditions(isStrict: isStrict, shards: set))
      }
      var report = RunReport()
      (report.seeds, report.isStrict, report.shards) = ([0, .max], isStrict, set)
      report.scenarios = reports
      return report
    }
  }

  static func json(_ report: RunReport) -> String { ReportFormat.json.render(report) }

  /// What a merge reads of the JSON of a report.
  static func read(_ text: String, named file: String = "r.json") throws(MergeFault) -> RunReport {
    try Merge.read(Array(text.utf8), named: file)
  }

  /// All of them, one joined after the other.
  static func joined(_ reports: [RunReport]) -> RunReport {
    reports.dropFirst().reduce(reports[0]) { $0.joined(with: $1) }
  }
}
