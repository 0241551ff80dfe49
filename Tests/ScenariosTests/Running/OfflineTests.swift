import Simulator
import Testing

@testable import Catalog
@testable import ScenarioFiles
@testable import Scenarios

@Suite struct `A scenario without a connection for a while` {
  private static func purchase(_ offline: String, at times: [String], search: String = "{}") throws
    -> Scenario
  {
    let script = times.map { #"{ "do": "pay", "order": 1, "at": "\#($0)" }"# }
    return try Catalogued.scenario(
      #"""
      "system": "purchase",
      "world": { "offline": [ \#(offline) ], "payments": { "POST /charge": { "arrivalDelay": "1s", "delay": "3s" } } },
      "script": [ \#(script.joined(separator: ", ")) ], "check": [ "at-most-once" ], "search": \#(search),
      "expect": { "naive": [ "at-most-once" ], "published": [ "at-most-once" ], "at-once": "holds", "hardened": "holds" }
      """#)
  }

  @Test func `loses what is under way, refuses what begins, and lets through what comes later`() throws {
    let scenario = try Self.purchase(#"{ "from": "2s", "for": "10s" }"#, at: ["0s", "5s", "12s"])
    let played = scenario.played("hardened")
    #expect(
      played.script == [
        "0 s: no connection from 2 s to 12 s", "0 s: pay begins", "2 s: pay threw connection lost",
        "5 s: pay 2 begins", "5 s: pay 2 threw offline", "12 s: pay 3 begins", "16 s: pay 3 returned",
      ])
    #expect(played.violations.map(\.message) == [])
    #expect(scenario.played("published").violations.map(\.invariant) == ["at-most-once"])
  }

  @Test func `decides once in each execution, and naturally takes the first alternative`() throws {
    let scenario = try Self.purchase(
      #"{ "from": [ "500ms", "2s" ], "for": [ "0s", "10s" ] }"#, at: ["0s"])
    let ends = { (schedule: Schedule) in scenario.played("naive", schedule).script.last }
    #expect(ends(.natural) == "4 s: pay returned")
    #expect(
      ends(Schedule(deviations: [.init(position: 0, taken: 1, options: 2)]))
        == "500 ms: pay threw connection lost")
    let later = Schedule(deviations: [
      .init(position: 0, taken: 1, options: 2), .init(position: 1, taken: 1, options: 2),
    ])
    #expect(ends(later) == "2 s: pay threw connection lost")
    let report = explore(schedules: 50, scenario.body("naive", of: scenario.type))
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `has one connection for all that may be offline, and none for the rest`() throws {
    let scenario = try Catalogued.scenario(
      #"""
      "system": "token-refresh", "with": { "expiresIn": "1s" },
      "world": { "offline": [ { "from": "2s", "for": "3s" } ] },
      "script": [ { "do": "open", "account": 1, "at": "2s" }, { "do": "open", "account": 1, "at": "5s" } ],
      "check": [], "expect": { "naive": "holds", "hardened": "holds" }
      """#)
    let calls = scenario.played("hardened").trace.events.compactMap { event -> String? in
      guard case .ended(let call, let outcome) = event.kind else { return nil }
      return "\(event.time): \(call.operation) \(outcome)"
    }
    #expect(
      calls == [
        "2 s: sign returned", "2 s: refresh threw offline",
        "5 s: sign returned",
        "5 s: refresh returned token 2", "5 s: GET /statement returned 1: 100",
      ])
  }

  private static func untested(offline: String, _ untested: String = "") -> [String] {
    SampleReport.report(
      of: #"""
        { "version": 1, "scenarios": [
          { "name": "tunnel", "about": "The phone is in a tunnel.", "system": "slow-dismiss",
            "world": { "offline": [ \#(offline) ], "network": { "GET /profile": { "delay": "1s", "reply": "ok" } } },
            "script": [ { "do": "open" } ], "check": [ "no-orphaned-write" ], "search": { "schedules": 20 }, \#(untested)
            "expect": { "naive": "holds", "hardened": "holds" } } ] }
        """#, isStrict: true
    ).scenarios[0].untested.sentences
  }

  @Test func `is told where no call ever meets it, unless the file says so`() {
    let late = #"{ "from": "1m", "for": "1s" }"#
    let told = "no call ever met a time without a connection"
    let found = Self.untested(offline: late)
    #expect(found.contains(told))
    let named = Self.untested(
      offline: late, #""untested": { "naive": [ "offline" ], "hardened": [ "offline" ] },"#)
    #expect(!named.contains { $0.contains("offline") || $0.contains("connection") })
  }

  @Test func `takes no reply for given that it has lost`() {
    let found = Self.untested(offline: #"{ "from": "500ms", "for": "1s" }"#)
    #expect(found.contains("network GET /profile never answered ok"))
    #expect(!found.contains { $0.contains("no call ever met") })
  }
}
