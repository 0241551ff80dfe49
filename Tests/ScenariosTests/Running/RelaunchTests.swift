import Simulator
import Testing

@testable import Catalog
@testable import ScenarioFiles
@testable import Scenarios

@Suite struct `A relaunch in a scenario` {
  private static func logOut(_ script: String, check: String = "") throws -> Scenario {
    try Catalogued.scenario(
      #"""
      "system": "log-out",
      "world": {
        "network": { "POST /session": { "delay": "2s" }, "GET /findings": { "delay": "2s" } },
        "keychain": { "write": { "delay": "1s" }, "transaction": { "delay": "1s" } }
      },
      "script": [ \#(script) ], "check": [ \#(check) ], "expect": { "naive": "holds", "hardened": "holds" }
      """#)
  }

  @Test func `ends what is under way without a word, and begins with what is durable`() throws {
    let scenario = try Self.logOut(
      #"{ "do": "sync" }, { "do": "relaunch", "at": "4s" }, { "do": "sync", "at": "5s" }"#)
    let played = scenario.played("naive")
    #expect(
      played.script == [
        "0 s: sync begins", "4 s: the process dies", "4 s: the app is launched again", "5 s: sync 2 begins",
        "10 s: sync 2 returned",
      ])
    #expect(played.ending == .finished)
    let sessions = played.trace.events.compactMap { event -> String? in
      guard case .changed("session", _, let to) = event.kind else { return nil }
      return "\(event.time): \(to)"
    }
    #expect(sessions == ["0 s: token 0", "2 s: token 1", "4 s: token 1", "7 s: token 2"])
  }

  @Test func `before the commit loses what was to be saved`() throws {
    let scenario = try Self.logOut(#"{ "do": "sync" }, { "do": "relaunch", "at": "2500ms" }"#)
    let last = scenario.played("naive").trace.events.compactMap { event -> String? in
      guard case .changed("session", _, let to) = event.kind else { return nil }
      return "\(event.time): \(to)"
    }.last
    #expect(last == "2.5 s: token 0")
  }

  @Test func `leaves nothing of the old process to cancel`() throws {
    let scenario = try Self.logOut(
      #"{ "do": "sync", "as": "old" }, { "do": "relaunch", "at": "1s" }, { "cancel": "old", "at": "2s" }"#)
    let played = scenario.played("naive")
    #expect(played.script.last == "2 s: cancel old: it has not begun")
    #expect(played.violations.map(\.message) == [])
  }

  @Test func `convicts a log-out that forgets before the keychain has`() throws {
    let scenario = try Self.logOut(
      #"{ "do": "log-out" }, { "do": "relaunch", "at": "500ms" }"#,
      check: #""stays-logged-out", "no-session-left""#)
    #expect(
      scenario.played("naive").violations.map(\.message) == [
        "session was forgotten at 0 s, the process dies at 500 ms, when keychain holds token 0: the next launch is logged in again"
      ])
    #expect(scenario.played("hardened").violations.map(\.message) == [])
  }

  @Test func `judges each launch by itself, but for what outlives the process`() throws {
    let scenario = try Self.logOut(
      #"{ "do": "log-out" }, { "do": "relaunch", "at": "3s" }"#, check: #""stays-logged-out""#)
    let body = scenario.body("naive", of: scenario.type)
    let counted = Counted()
    let execution = simulate { simulation in
      simulation.require(Invariant("by-itself", "") { Counter(counted: counted, outlivesProcess: false) })
      simulation.require(Invariant("outliving", "") { Counter(counted: counted, outlivesProcess: true) })
      try await body(simulation)
    }
    #expect(execution.violations.map(\.message) == [])
    #expect(counted.monitors.value == 3)
    #expect(counted.deaths.value == 2)
  }

  private final class Counted: Sendable {
    let monitors = Shared(0)
    let deaths = Shared(0)
  }

  private struct Counter: Invariant.Monitor {
    let counted: Counted
    let outlivesProcess: Bool
    var judged: Bool { true }

    init(counted: Counted, outlivesProcess: Bool) {
      (self.counted, self.outlivesProcess) = (counted, outlivesProcess)
      counted.monitors.add(1)
    }

    mutating func saw(_ event: Trace.Event) -> String? { nil }

    mutating func processDied(_ time: VirtualInstant) -> String? {
      counted.deaths.add(1)
      return nil
    }
  }

  @Test func `is refused where the system does not know it`() {
    #expect(throws: (any Error).self) {
      try Catalogued.scenario(
        #""system": "slow-dismiss", "script": [ { "do": "relaunch" } ], "check": [], "expect": { "naive": "holds" }"#
      )
    }
  }

  @Test func `is an action of a descriptor that is no other`() {
    let own = SystemDescriptor(
      "own", "", variants: [.init("naive", "")], actions: [.init("relaunch", "The rocket starts again.")])
    #expect(Vocabulary(systems: [own]).flaws.map(\.description).count == 1)
    #expect(Vocabulary(systems: [LogOut.descriptor]).flaws == [])
  }
}

private final class Shared: @unchecked Sendable {
  // @unchecked Sendable because executions run on one thread.
  private(set) var value: Int
  init(_ value: Int) { self.value = value }
  func add(_ more: Int) { value += more }
}
