import Simulator
import SimulatorStrategies
import Testing

@testable import Catalog
@testable import ScenarioFiles
@testable import Scenarios

@Suite struct LoweringTests {
  private static let rest = #"""
    "check": [], "expect": { "naive": "holds", "hardened": "holds" }
    """#

  /// A scenario of the slow profile: five seconds for the request, one for the write.
  private static func profile(_ script: String, until: String = "60s") throws -> Scenario {
    try Catalogued.scenario(
      #"""
      "system": "slow-dismiss",
      "world": { "network": { "GET /profile": { "delay": "5s" } }, "store": { "write": { "delay": "1s" } } },
      "search": { "until": "\#(until)" }, "script": [ \#(script) ], \#(rest)
      """#)
  }

  private static func trip(_ script: String) throws -> Scenario {
    try Catalogued.scenario(
      #"""
      "system": "cancel-mid-write", "world": { "store": { "write": { "delay": "1s" } } },
      "script": [ \#(script) ], \#(rest)
      """#)
  }

  @Test func `lines happen at their times`() throws {
    let scenario = try Self.profile(#"{ "do": "leave", "at": "2s" }, { "do": "open", "at": "1s" }"#)
    #expect(
      scenario.played("naive").script == [
        "1 s: open begins", "1 s: open returned", "2 s: leave begins", "2 s: profile is dismissed",
        "2 s: leave returned",
      ])
  }

  @Test func `lines of one moment begin in the order of the file, in every schedule`() throws {
    let scenario = try Self.profile(#"{ "do": "open" }, { "do": "leave" }, { "do": "open", "as": "again" }"#)
    let body = scenario.body("naive", of: scenario.type)
    let report = explore(schedules: 200) { simulation in
      simulation.require(
        Invariant("in-order", "") { InOrder(labels: ["open", "leave", "again"]) })
      try await body(simulation)
    }
    #expect(report.violations.map(\.message) == [])
    #expect(report.vacuousInvariants == [])
  }

  private struct InOrder: Invariant.Monitor {
    var labels: [String]
    var judged: Bool { labels.isEmpty }

    mutating func saw(_ event: Trace.Event) -> String? {
      guard case .actionBegan(let action) = event.kind else { return nil }
      return !labels.isEmpty && action.label == labels.removeFirst() ? nil : "\(action.label) came too early"
    }
  }

  @Test func `what goes on for more steps than the file allows is a livelock`() throws {
    let variants = ReducerWithEffects.descriptor.variants.map { "\"\($0.name)\": \"holds\"" }
    let scenario = try Catalogued.scenario(
      #"""
      "system": "reducer-with-effects", "world": { "network": { "GET /stations": { "delay": "2h" } } },
      "script": [ { "do": "type", "text": "s" }, { "do": "type", "text": "su" } ], "check": [],
      "search": { "stepLimitPerInstant": 50 }, "expect": { \#(variants.joined(separator: ", ")) }
      """#)
    let found = scenario.played("busy-waiting").violations
    let message = try #require(found.first?.message)
    #expect(message.hasPrefix("no end within "))
    let steps = try #require(message.split(separator: " ").compactMap { Int($0) }.first)
    #expect(steps < 100)
  }

  @Test func `sleeps end as late as the file allows, and in time where it says nothing`() throws {
    for (search, jitter) in [("\"timerJitter\": \"2ms\"", Duration.milliseconds(2)), ("", .zero)] {
      let scenario = try Catalogued.scenario(
        #"""
        "system": "slow-dismiss", "search": { \#(search) }, "script": [ { "do": "open" } ], \#(Self.rest)
        """#)
      #expect(scenario.executionOptions.timerJitter == jitter)
    }
  }

  @Test func `the global executor has as many threads as the file says`() throws {
    for (search, threads) in [("\"poolThreads\": 3", Int?.some(3)), ("", nil)] {
      let scenario = try Catalogued.scenario(
        #"""
        "system": "slow-dismiss", "search": { \#(search) }, "script": [ { "do": "open" } ], \#(Self.rest)
        """#)
      #expect(scenario.executionOptions.poolThreads == threads)
    }
  }

  @Test func `steps overlap where the file says so`() throws {
    for (search, steps) in [
      ("\"steps\": \"preemptible\"", Simulation.Options.Steps.preemptible),
      ("\"steps\": \"overlapping\"", .preemptible), ("\"steps\": \"whole\"", .atomic), ("", .asNeeded),
    ] {
      let scenario = try Catalogued.scenario(
        #"""
        "system": "slow-dismiss", "search": { \#(search) }, "script": [ { "do": "open" } ], \#(Self.rest)
        """#)
      #expect(scenario.executionOptions.steps == steps)
    }
  }

  /// On the main thread a task that no other task has made would be more urgent, and overtake on an actor.
  @MainActor @Test func `a line that happens anytime is as urgent as any other on every thread`() throws {
    let variants = ReducerWithEffects.descriptor.variants.map { "\"\($0.name)\": \"holds\"" }
    let scenario = try Catalogued.scenario(
      #"""
      "system": "reducer-with-effects", "world": { "network": { "GET /stations": { "delay": "1s" } } },
      "script": [ { "do": "type", "text": "s" }, { "do": "type", "text": "su", "at": "anytime" } ],
      "check": [ "actions-in-order" ], "expect": { \#(variants.joined(separator: ", ")) }
      """#)
    let body = scenario.body("one-at-a-time", of: scenario.type)
    #expect(explore(schedules: 300, strategy: Strategies.RandomWalk(), body).violations.map(\.message) == [])
  }

  @Test func `times makes that many tasks, numbered`() throws {
    let scenario = try Self.profile(#"{ "do": "open", "as": "first", "times": 3 }"#)
    #expect(
      scenario.played("naive").script.filter { $0.hasSuffix("begins") } == [
        "0 s: first 1 begins", "0 s: first 2 begins", "0 s: first 3 begins",
      ])
  }

  @Test func `tasks are named after their lines`() throws {
    let scenario = try Self.profile(#"{ "do": "open", "as": "first" }, { "do": "leave" }"#)
    #expect(scenario.played("naive").trace.tasks.compactMap(\.name) == ["first", "leave"])
  }

  @Test func `a cancel reaches the task of its line`() throws {
    let scenario = try Self.trip(#"{ "do": "postpone", "as": "save" }, { "cancel": "save", "at": "1500ms" }"#)
    #expect(
      scenario.played("hardened").script == [
        "0 s: save begins", "0 s: save returned", "1.5 s: save is cancelled",
      ])
    #expect(
      scenario.played("naive").script == [
        "0 s: save begins", "1.5 s: save is cancelled", "1.5 s: save was cancelled",
      ])
  }

  @Test func `a cancel that comes before its line is noted`() throws {
    let scenario = try Self.trip(#"{ "cancel": "save" }, { "do": "postpone", "as": "save", "at": "1s" }"#)
    #expect(scenario.played("hardened").script.first == "0 s: cancel save: it has not begun")
  }

  @Test func `a line whose time is a range comes at its low end, or is put off until time stops`() throws {
    let scenario = try Self.profile(#"{ "do": "open" }, { "do": "leave", "at": "4s...8s" }"#)
    let putOff = Schedule.Deviation(position: 0, taken: 1, options: 2)
    let together = Schedule.Deviation(position: 1, taken: 2, options: 3)
    let moments = [[], [putOff], [putOff, together]].map { deviations in
      scenario.played("naive", Schedule(deviations: deviations)).script.first { $0.hasSuffix("leave begins") }
    }
    #expect(moments == ["4 s: leave begins", "8 s: leave begins", "5 s: leave begins"])
  }

  @Test func `alternatives are offered in the order written`() throws {
    let scenario = try Self.profile(#"{ "do": "leave", "at": [ "3s", "1s" ] }"#)
    let second = Schedule(deviations: [.init(position: 0, taken: 1, options: 2)])
    #expect(scenario.played("naive").script.first == "3 s: leave begins")
    #expect(scenario.played("naive", second).script.first == "1 s: leave begins")
    #expect(scenario.played("naive").choices.map(\.kind) == [.moment])
  }

  @Test func `anytime happens when all is at rest, unless the tape says earlier`() throws {
    let scenario = try Self.profile(#"{ "do": "open" }, { "do": "leave", "at": "anytime" }"#)
    #expect(scenario.played("naive").script.last == "6 s: leave returned")
    let early = Schedule(deviations: [.init(position: 0, taken: 1, options: 2)])
    #expect(scenario.played("naive", early).script.last == "0 s: leave returned")
  }

  @Test func `a cancel that may come anytime is offered once there is something to cancel`() throws {
    let scenario = try Self.trip(
      #"{ "do": "postpone", "as": "save", "at": "1s" }, { "cancel": "save", "at": "anytime" }"#)
    let report = explore(schedules: 200, scenario.body("hardened", of: scenario.type))
    #expect(report.violations.map(\.message) == [])
    let early = Schedule(deviations: [.init(position: 0, taken: 1, options: 2)])
    #expect(scenario.played("hardened", early).script.contains("1 s: save is cancelled"))
  }

  @Test func `an execution ends at the scenario's limit, where what is alive is a violation`() throws {
    let scenario = try Self.profile(#"{ "do": "open" }"#, until: "5500ms")
    let execution = scenario.played("naive")
    #expect(execution.ending == .timeLimit)
    #expect(execution.endTime.nanoseconds == 5_500_000_000)
    #expect(execution.violations.map(\.invariant) == [Invariant.BuiltIn.nothingOutlives])
  }

  @Test func `the trace begins with what everything holds`() throws {
    let execution = try Self.trip(#"{ "do": "postpone" }"#).played("naive")
    let first = execution.trace.events.map(\.kind).filter { $0 != .step }.prefix(7)
    let names = first.compactMap { kind in
      if case .changed(let name, .none, _) = kind { return name }
      return nil
    }
    #expect(names == ["status 1", "draft 1", "status 2", "draft 2", "cache", "disk", "first day"])
  }

  @Test func `what a file says of a call is what the fake does`() throws {
    let scenario = try Catalogued.scenario(
      #"""
      "system": "inbox-refresh",
      "world": { "network": { "GET /inbox": {
        "arrivalDelay": "50ms", "delay": "1s", "reply": [ "ok", "offline" ], "ignoresCancel": true,
        "calls": [ {}, { "arrivalDelay": "10ms...20ms", "delay": [ "2s", "3s" ], "spend": "4ms", "reply": "offline" } ] } } },
      "script": [ { "do": "refresh" } ], "check": [],
      "expect": { "naive": "holds", "published": "holds", "hardened": "holds" }
      """#)
    let operation = try #require(InboxRefresh.descriptor.fakes.first?.operations.first)
    let calls = try #require(scenario.world["network", "GET /inbox"]).behaviors(of: operation)
    #expect(
      calls.map(\.arrivalDelay) == [.milliseconds(50), .between(.milliseconds(10), and: .milliseconds(20))])
    #expect(calls.map(\.delay) == [.seconds(1), .oneOf(.seconds(2), .seconds(3))])
    #expect(calls.map(\.spend) == [.none, .milliseconds(4)])
    #expect(calls.map { $0.replies.map(\.name) } == [["ok", "offline"], ["offline"]])
    #expect(calls.map(\.ignoresCancellation) == [[true], [true]])
    #expect(calls.map(\.faults) == [[.noFault], [.noFault]])
  }
}
