import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// This process has other threads, so it cannot be forked.
@Suite struct `Fresh processes that are asked for and cannot be had` {
  private static func scenario() throws -> Scenario {
    let text = """
      { "version": 1, "scenarios": [
        { "name": "slow", "about": "The user leaves.", "system": "slow-dismiss",
          "world": { "network": { "GET /profile": { "delay": "5s" } } },
          "script": [ { "do": "open" }, { "do": "leave", "at": "2s" } ],
          "check": [ "nothing-after-dismissal" ], "search": { "schedules": 5 },
          "expect": { "naive": [ "nothing-after-dismissal" ], "hardened": "holds" } } ] }
      """
    let file = try ScenarioFile(Array(text.utf8), named: "t.json", in: Catalogued.vocabulary)
    return try #require(file.scenarios.first)
  }

  @Test func `are an error before anything runs`() throws {
    var scenario = try Self.scenario()
    scenario.search.isFresh = true
    let engine = SimulatorEngine(systems: [scenario.type])
    let terminal = Terminal(
      write: { _ in Issue.record("something was printed") }, complain: { _ in })
    let request = RunRequest(entries: [RunRequest.Entry(file: "t.json", scenario: scenario)])
    #expect(throws: NoFreshProcesses.self) { try engine.run(request, on: terminal) }
  }

  @Test func `are a fault of each variant that lost them on its way`() throws {
    var scenario = try Self.scenario()
    let usual = ScenarioRunner(scenario: scenario, type: scenario.type).run()
    #expect(SimulatorEngine.withoutFreshProcesses(usual) == [])
    scenario.search.isFresh = true
    let result = ScenarioRunner(scenario: scenario, type: scenario.type).run()
    let sentence =
      "--fresh: no fresh process can be had: this process has other threads; without --fresh all schedules run in one process"
    #expect(
      SimulatorEngine.withoutFreshProcesses(result)
        == ["\(sentence): slow naive", "\(sentence): slow hardened"])
  }
}
