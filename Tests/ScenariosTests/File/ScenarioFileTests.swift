import Testing

@testable import ScenarioFiles

@Suite struct ScenarioFileTests {
  @Test func `the example becomes a model with all that it says`() throws {
    let scenario = try #require(try ExampleFile.checked().scenarios.first)
    #expect(scenario.name == "leaving-while-loading")
    #expect(scenario.system == "inbox-refresh")
    #expect(scenario.settings.duration("staleAfter") == .minutes(5))
    var search = Search()
    search.strategy = "portfolio"
    search.exhaustDeviations = 2
    #expect(scenario.search == search)
    #expect(scenario.expectation(of: "hardened")?.outcome == .holds)
    #expect(
      scenario.expectation(of: "naive")?.outcome
        == .violates(["nothing-after-dismissal", "no-orphaned-write"]))
    #expect(scenario.replays.map(\.token) == ["debug/14:1/3,21:3/4#9f2c"])
    #expect(
      scenario.checks.map(\.invariant) == ["nothing-after-dismissal", "no-orphaned-write", "settles-within"])
    #expect(scenario.checks.last?.parameter == .duration(.seconds(8)))
  }

  @Test func `the script keeps its order, labels, times and the descriptor's defaults`() throws {
    let script = try #require(try ExampleFile.checked().scenarios.first).script
    guard case .action(let refresh) = script[0], case .action(let open) = script[1],
      case .cancel(let cancel) = script[2], case .action(let dismiss) = script[3]
    else { throw Missing() }
    #expect(refresh.label == "first")
    #expect(open.times == 2)
    #expect(open.arguments.string("letter") == "42")
    #expect(open.arguments.integer("page") == 1)
    #expect(open.arguments.duration("linger") == .seconds(1))
    #expect(open.arguments.bool("animated") == false)
    #expect(open.at == .offered(.fixed(.milliseconds(50))))
    #expect(cancel.label == "first")
    #expect(cancel.at == .offered(.range(.seconds(1)...Nanoseconds.seconds(3))))
    #expect(dismiss.at == .anytime)
  }

  @Test func `calls override one by one and the last repeats`() throws {
    let text = ExampleFile.with(
      #""GET /inbox": { "calls""#, as: #""GET /inbox": { "ignoresCancel": true, "calls""#)
    let world = try #require(try ExampleFile.checked(text).scenarios.first).world
    let inbox = try #require(world["network", "GET /inbox"])
    #expect(inbox.settings(forCall: 0).delay == .fixed(.seconds(5)))
    #expect(inbox.settings(forCall: 0).reply?.values == ["ok", "offline"])
    #expect(inbox.settings(forCall: 1).reply == nil)
    #expect(inbox.settings(forCall: 7).delay == .fixed(.milliseconds(50)))
    #expect(inbox.settings(forCall: 7).ignoresCancel?.natural == true)
    #expect(world["store", "write"]?.settings(forCall: 3).fails?.natural == "never")
    #expect(world["store", "read"] == nil)
  }

  @Test func `positions say where scenarios and expectations begin`() throws {
    let scenario = try #require(try ExampleFile.checked().scenarios.first)
    #expect(scenario.position == SourcePosition(line: 1, column: 32))
    #expect(scenario.expectations.map(\.position.line) == [16, 16])
    #expect(scenario.replays.map(\.position.line) == [17])
  }

  @Test func `a short scenario takes every default`() throws {
    let text = """
      { "version": 1, "scenarios": [ { "name": "a", "about": "", "system": "counter",
        "script": [ { "do": "tap", "by": 2 } ], "expect": { "only": ["deadlock"] } } ] }
      """
    let scenario = try #require(try ExampleFile.checked(text).scenarios.first)
    #expect(scenario.search == Search())
    #expect(scenario.world.entries.isEmpty)
    guard case .action(let tap)? = scenario.script.first else { throw Missing() }
    #expect(tap.at == .offered(.fixed(.zero)))
    #expect(tap.times == 1)
  }

  @Test func `a built-in check that a reader would miss may be listed`() throws {
    let text = ExampleFile.with(#""check": [ "#, as: #""check": [ "nothing-outlives", "#)
    #expect(try ExampleFile.checked(text).scenarios.first?.checks.first?.invariant == "nothing-outlives")
  }
}
