import ScenarioFiles
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
    return audit(scenario, variant)
  }

  private static func audit(_ scenario: Scenario, _ variant: String) -> Audit {
    var scenario = scenario
    let descriptor = scenario.type.descriptor
    scenario.checks = Audit.checks(of: descriptor, beside: scenario)
    return Audit(scenario.played(variant), of: descriptor)
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
    let rule = try Self.audit(Self.stays, "naive")["main-actor-responsive"]
    #expect(rule?.verdict == .broken(["closed for 300 ms at 5 s"]))
    // The system does not ask for it.
    #expect(rule?.isAdvice == true)
    #expect(try Self.audit(Self.stays, "hardened")["main-actor-responsive"]?.verdict == .holds)
  }

  @Test func `a task that no owner keeps breaks the rule of ownership, a task that is kept does not`() throws
  {
    guard
      case .broken(let places)? = try Self.audit(Self.leaves, "naive", until: "6s")["nothing-outlives"]?
        .verdict
    else {
      Issue.record("the naive profile outlives its screen")
      return
    }
    #expect(places.count == 1)
    #expect(try Self.audit(Self.leaves, "hardened")["nothing-outlives"]?.verdict == .holds)
  }

  @Test func `without a cancel there is nothing to judge`() throws {
    let scenario = try Catalogued.scenario(
      #"""
      "system": "same-thing-at-once", "script": [ { "do": "show", "screen": 1 } ], "search": { "until": "9s" },
      "expect": { "naive": "holds", "published": "holds", "hardened": "holds" }
      """#)
    #expect(Self.audit(scenario, "naive")["cancellation-reaches-transport"]?.verdict == .untouched)
  }

  @Test
  func `a rule that the system asks for is judged by its invariant, and one that is left out has its reason`()
    throws
  {
    #expect(
      try Self.audit(Self.stays, "naive").broken == ["owners-apart", "asked-off-main", "saved-is-kept"])
    #expect(try Self.audit(Self.stays, "hardened").broken.isEmpty)
    guard
      case .leftOut(let reason)? = try Self.audit(Self.stays, "naive")["cancellation-reaches-transport"]?
        .verdict
    else {
      Issue.record("slow-dismiss leaves the rule out")
      return
    }
    #expect(reason.hasSuffix("."))
  }

  @Test func `what is broken and not declared is a difference, and so is what is declared and not broken`()
    throws
  {
    let stays = try Catalogued.scenario(
      #"""
      "system": "slow-dismiss", "script": \#(Self.stays), "search": { "until": "9s" },
      "expect": { "naive": "holds", "hardened": "holds" }
      """#)
    let audits = ["naive", "hardened"].map { ($0, Self.audit(stays, $0)) }
    func summary(_ breaks: [String]) -> AuditSummary {
      var descriptor = stays.type.descriptor
      descriptor.variants[0].breaks = breaks
      var summary = AuditSummary()
      summary.add(stays, of: descriptor, audits)
      return summary
    }
    #expect(summary(["owners-apart", "asked-off-main", "saved-is-kept"]).differences.isEmpty)
    let hidden = summary(["owners-apart", "saved-is-kept"])
    #expect(
      hidden.differences == [
        "slow-dismiss naive breaks asked-off-main in test, and its descriptor does not say so"
      ])
    #expect(hidden.undeclared == hidden.differences)
    let invented = summary(["owners-apart", "asked-off-main", "saved-is-kept", "nothing-outlives"])
    // Another scenario may break it.
    #expect(invented.undeclared.isEmpty)
    #expect(
      invented.differences == [
        "slow-dismiss naive breaks nothing-outlives, says its descriptor, and it does so in no scenario"
      ])
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
      Audit(execution, of: SystemDescriptor("playlist", "", variants: [], actions: []))[
        "cancellation-reaches-transport"]?.verdict
        == (isSwallowed ? .broken(["pull was cancelled at 1 s, and network GET /playlist went on"]) : .holds))
  }
}

extension Audit {
  /// The rule with this name.
  fileprivate subscript(name: String) -> Rule? { rules.first { $0.name == name } }
}
