import Simulator
import SimulatorReports
import Testing

@testable import Scenarios

@Suite struct ScenarioRunnerTests {
  /// The slow profile, left after two seconds.
  private static func result(
    naive: String, hardened: String = #""holds""#, search: String = #"{ "schedules": 20 }"#,
    replays: String = "{}"
  ) throws -> ScenarioResult {
    let scenario = try Catalogued.scenario(
      #"""
      "system": "slow-dismiss",
      "world": { "network": { "GET /profile": { "delay": "5s" } } },
      "script": [ { "do": "open" }, { "do": "leave", "at": "2s" } ],
      "check": [ "nothing-after-dismissal", "no-orphaned-write" ],
      "search": \#(search), "replays": \#(replays),
      "expect": { "naive": \#(naive), "hardened": \#(hardened) }\#(hardened == #""holds""# ? untested : "")
      """#)
    return ScenarioRunner(scenario: scenario, type: scenario.type).run()
  }

  /// It never writes, as it should not.
  private static let untested = #", "untested": { "hardened": [ "no-orphaned-write" ] }"#

  private static func report(_ result: ScenarioResult, isStrict: Bool = false) -> ScenarioReport {
    ScenarioReport(result, file: "t.json", ReportConditions(isStrict: isStrict))
  }

  private static let both = #"[ "nothing-after-dismissal", "no-orphaned-write" ]"#

  @Test func `the expected violations and no others are as expected`() throws {
    #expect(Self.report(try Self.result(naive: Self.both), isStrict: true).isAsExpected)
  }

  @Test func `a violation that is not listed is not as expected`() throws {
    let result = try Self.result(naive: #"[ "nothing-after-dismissal" ]"#)
    let naive = Self.report(result).variants[0]
    #expect(naive.unexpected.map(\.invariant) == ["no-orphaned-write"])
    #expect(!naive.isAsExpected)
  }

  @Test func `a known violation that is not found is reported, and fails only a strict run`() throws {
    let result = try Self.result(naive: Self.both, hardened: #"[ "no-orphaned-write" ]"#)
    let hardened = Self.report(result).variants[1]
    #expect(hardened.noLongerFound == ["no-orphaned-write"])
    #expect(hardened.outdated.map(\.text) == ["NO LONGER FOUND: no-orphaned-write"])
    #expect(hardened.isAsExpected)
    #expect(!Self.report(result, isStrict: true).variants[1].isAsExpected)
  }

  @Test func `a variant that is to hold is searched to the end of the budget, others until all is seen`()
    throws
  {
    let result = try Self.result(naive: Self.both)
    #expect(result.variants.map(\.report.schedules) == [1, 20])
  }

  @Test func `a recorded schedule is replayed`() throws {
    let token = try #require(try Self.result(naive: Self.both).variants[0].report.violations.first?.token)
    let result = try Self.result(naive: Self.both, replays: #"{ "naive": [ "\#(token)" ] }"#)
    guard case .reproduced(let invariants) = result.variants[0].replays.first?.outcome else {
      Issue.record("\(result.variants[0].replays)")
      return
    }
    #expect(Set(invariants) == ["nothing-after-dismissal", "no-orphaned-write"])
    #expect(Self.report(result, isStrict: true).isAsExpected)
  }

  @Test func `a recorded schedule does not make its violation a known one`() throws {
    let token = try #require(try Self.result(naive: Self.both).variants[0].report.violations.first?.token)
    let result = try Self.result(naive: #""holds""#, replays: #"{ "naive": [ "\#(token)" ] }"#)
    let naive = Self.report(result).variants[0]
    #expect(naive.replays[0].violated.count == 2)
    #expect(naive.violations.map(\.number) == [0, 0])
    #expect(naive.unexpected.count == 2)
    #expect(!naive.isAsExpected)
  }

  @Test func `recorded schedules run first, all of them, even if they exceed the budget`() throws {
    let build = Schedule.Token.Build.current.rawValue
    let replays = (0..<4).map { #""\#(build)/\#($0):1/2#00000000""# }.joined(separator: ", ")
    let result = try Self.result(
      naive: Self.both, search: #"{ "schedules": 1 }"#, replays: #"{ "hardened": [ \#(replays) ] }"#)
    #expect(result.variants[1].report.schedules == 4)
  }

  @Test func `a recorded schedule that leads elsewhere is reported, and fails only a strict run`() throws {
    let build = Schedule.Token.Build.current.rawValue
    let result = try Self.result(naive: Self.both, replays: #"{ "naive": [ "\#(build)/#00000000" ] }"#)
    guard case .diverged = result.variants[0].replays.first?.outcome else {
      Issue.record("\(result.variants[0].replays)")
      return
    }
    let naive = Self.report(result).variants[0]
    #expect(naive.outdated.first?.text.hasPrefix("RECORDED, BUT DIVERGED: ") == true)
    #expect(naive.isAsExpected)
    #expect(!Self.report(result, isStrict: true).isAsExpected)
  }

  @Test func `a schedule that was recorded in the other build is a hint`() throws {
    let other = Schedule.Token.Build.current == .debug ? "release" : "debug"
    let result = try Self.result(naive: Self.both, replays: #"{ "naive": [ "\#(other)/#00000000" ] }"#)
    guard case .hint = result.variants[0].replays.first?.outcome else {
      Issue.record("\(result.variants[0].replays)")
      return
    }
    #expect(Self.report(result, isStrict: true).isAsExpected)
  }

  @Test func `a search that is to be exhaustive says what it covered`() throws {
    let search = #"{ "schedules": 20, "exhaust": { "deviations": 2 } }"#
    let result = try Self.result(naive: Self.both, search: search).variants[1]
    #expect(result.report.coveredText?.contains("explored") == true)
    #expect(try Self.result(naive: Self.both).variants[1].report.coveredText == nil)
  }

  @Test func `the natural strategy is one execution`() throws {
    let search = #"{ "schedules": 50, "strategy": "natural" }"#
    #expect(try Self.result(naive: Self.both, search: search).variants[1].report.schedules == 1)
  }

  @Test func `a part of the file that nothing made use of is reported`() throws {
    let scenario = try Catalogued.scenario(
      #"""
      "system": "slow-dismiss",
      "world": {
        "network": { "GET /profile": { "delay": "5s", "reply": ["ok", "offline"] } },
        "store": { "write": { "delay": "1s", "fails": ["never", "before-commit", "after-commit"] } } },
      "script": [ { "do": "open" }, { "do": "leave", "as": "leaving", "at": "2s" }, { "cancel": "leaving", "at": "1s" } ],
      "check": [ { "settles-within": "9s" } ],
      "search": { "strategy": "natural" },
      "expect": { "naive": "holds", "hardened": "holds" }
      """#)
    let result = ScenarioRunner(scenario: scenario, type: scenario.type).run()
    #expect(
      result.vacuities.sentences == [
        "network GET /profile never answered offline", "store write never failed before-commit",
        "store write never failed after-commit", "there was never a leaving to cancel",
        "hardened: network GET /profile never answered ok", "hardened: store write was never called",
      ])
  }

  @Test func `an operation without a call and an invariant without an event are reported`() throws {
    let scenario = try Catalogued.scenario(
      #"""
      "system": "slow-dismiss",
      "world": { "store": { "write": { "delay": "1s" } } },
      "script": [ { "do": "leave" } ],
      "check": [ "no-orphaned-write" ],
      "search": { "schedules": 5 },
      "expect": { "naive": "holds", "hardened": "holds" }
      """#)
    let result = ScenarioRunner(scenario: scenario, type: scenario.type).run()
    #expect(
      result.vacuities.sentences == [
        "store write was never called", "no-orphaned-write never had anything to judge",
      ])
  }

  @Test func `what is to be covered completely and is not is not as expected`() throws {
    let search = #"{ "schedules": 3, "exhaust": { "deviations": 2 } }"#
    let scenario = try Catalogued.scenario(
      #"""
      "system": "slow-dismiss",
      "script": [ { "do": "open", "at": "anytime" }, { "do": "leave", "at": "anytime" } ],
      "check": [ "no-orphaned-write" ],
      "search": \#(search),
      "expect": { "naive": "holds", "hardened": "holds" }
      """#)
    let hardened = Self.report(ScenarioRunner(scenario: scenario, type: scenario.type).run()).variants[1]
    #expect(hardened.shortfall != nil)
    #expect(!hardened.isAsExpected)
  }
}
