import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// Shows the pages of a list, of which the second has a route of its own.
private final class Pager: System {
  nonisolated static let checks: [SystemCheck] = []
  nonisolated static let descriptor = SystemDescriptor(
    "pager", "Shows the pages of a list.", variants: [.init("naive", "As it is.")],
    actions: [.init("turn", "Loads a page.", arguments: [.integer("to", "Which.", default: 1)])],
    fakes: [
      .init(
        "network", "The server.",
        operations: [
          .init("GET /list", "Any page.", replies: ["ok"]),
          .init("GET /list?page=2", "The second page.", replies: ["ok", "offline"]),
        ])
    ],
    invariants: [])

  private let network: FakeNetwork
  let observed: [Observed] = []

  init(_ variant: String, in world: World) { network = world.network() }

  func perform(_ action: UserAction) async throws {
    _ = try await network.send(FakeNetwork.Request("GET", "/list?size=20&page=\(action.integer("to") ?? 1)"))
  }
}

@Suite struct `A route with a query in a scenario file` {
  private func file(_ network: String) throws -> ScenarioFile {
    let text =
      #"{ "version": 1, "scenarios": [ { "name": "test", "about": "A test.", "system": "pager", "world": { "network": "#
      + network
      + #" }, "script": [ { "do": "turn" }, { "do": "turn", "to": 2 } ], "expect": { "naive": "holds" } } ] }"#
    return try ScenarioFile(
      Array(text.utf8), named: "t.json", in: Vocabulary(systems: [Pager.descriptor]))
  }

  @Test func `takes the requests that have it`() throws {
    let scenario = try file(
      #"{ "GET /list": { "delay": "1s" }, "GET /list?page=2": { "delay": "5s", "reply": "offline" } }"#
    ).scenarios[0]
    let execution = simulate(
      .natural, options: scenario.executionOptions, scenario.body("naive", of: Pager.self))
    #expect(
      execution.script == [
        "0 s: turn begins", "0 s: turn 2 begins", "1 s: turn returned", "5 s: turn 2 threw offline",
      ])
  }

  @Test func `is refused where the system has no such operation, with those that it has`() {
    #expect {
      _ = try file(#"{ "GET /list?page=3": { "delay": "1s" } }"#)
    } throws: { error in
      "\(error)".contains("GET /list?page=3") && "\(error)".contains("GET /list?page=2")
    }
  }
}
