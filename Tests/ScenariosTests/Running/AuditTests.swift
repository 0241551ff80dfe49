import Simulator
import Testing

@testable import Scenarios

@Suite struct AuditTests {
  private static func audit(
    _ script: String, _ variant: String, until: String = "9s"
  ) throws -> Audit {
    let scenario = try Catalogued.scenario(
      #"""
      "system": "slow-dismiss",
      "world": {
        "network": { "GET /profile": { "delay": "5s", "spend": "300ms" } }, "store": { "write": { "delay": "1s" } } },
      "script": \#(script), "search": { "until": "\#(until)" },
      "expect": { "naive": "holds", "hardened": "holds" }
      """#)
    return Audit(scenario.played(variant))
  }

  private static let stays = #"[ { "do": "open" } ]"#
  private static let leaves = #"[ { "do": "open", "as": "opening" }, { "do": "leave", "at": "2s" } ]"#

  @Test func `the matrix counts calls, changes and work by the domain that they come from`() throws {
    let audit = try Self.audit(Self.stays, "naive")
    #expect(audit.domains.first == "MainActor")
    let main = audit.rows.map { [$0.layer, "\($0.counts[0])"] }
    #expect(main.contains(["network GET /profile", "1"]))
    #expect(main.contains(["store write", "1"]))
    #expect(main.contains(["work that takes time", "1"]))
    #expect(main.contains(["screen changes", "2"]))
  }

  @Test func `work that keeps the main actor closed breaks its rule`() throws {
    let rule = try Self.audit(Self.stays, "naive").rules[0]
    #expect(rule.verdict == .broken(["closed for 300 ms at 5 s"]))
    #expect(try Self.audit(Self.stays, "hardened").rules[0].verdict == .holds)
  }

  @Test func `a task that no owner keeps breaks the rule of ownership, a task that is kept does not`() throws
  {
    guard case .broken(let places)? = try Self.audit(Self.leaves, "naive", until: "6s").rules.last?.verdict
    else {
      Issue.record("the naive profile outlives its screen")
      return
    }
    #expect(places.count == 1)
    #expect(try Self.audit(Self.leaves, "hardened").rules.last?.verdict == .holds)
  }

  @Test func `without a cancel there is nothing to judge`() throws {
    #expect(try Self.audit(Self.stays, "naive").rules[2].verdict == .untouched)
  }

  @Test(arguments: [true, false])
  func `a cancel that does not reach a call is reported`(isSwallowed: Bool) {
    let execution = simulate { simulation in
      let network = FakeNetwork(delay: .seconds(5))
      let pull = Trace.Action(label: "pull", name: "pull")
      let task = Task {
        simulation.record(.actionBegan(pull))
        let call = Task { _ = try? await network.send(FakeNetwork.Request("GET", "/playlist")) }
        await withTaskCancellationHandler {
          await call.value
        } onCancel: {
          if !isSwallowed { call.cancel() }
        }
      }
      try await Task.sleep(for: .seconds(1))
      simulation.record(.cancelled(pull))
      task.cancel()
    }
    #expect(
      Audit(execution).rules[2].verdict
        == (isSwallowed ? .broken(["pull was cancelled at 1 s, and network GET /playlist went on"]) : .holds))
  }
}
