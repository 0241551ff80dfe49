import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// Pays at a till, which keeps a list of what it was paid.
private final class Till: System {
  nonisolated static let checks = [SystemCheck(.atMostOnce(in: "ledger", by: "POST /charge"))]
  nonisolated static let descriptor = SystemDescriptor(
    "till", "Pays once.",
    variants: [.init("naive", "The till knows no key."), .init("hardened", "The till knows a key.")],
    actions: [.init("pay", "Pays.")],
    fakes: [
      .init(
        "network", "The till.",
        operations: [.init("POST /charge", "Charges.", faults: ["never", "arrives-twice"])])
    ],
    invariants: checks.map(\.descriptor))

  private let network: FakeNetwork
  private let knowsKey: Bool
  private let ledger = Guarded<[String]>([])

  init(_ variant: String, in world: World) {
    (network, knowsKey) = (world.network(), variant == "hardened")
  }

  func perform(_ action: UserAction) async throws {
    try await network.exchange("POST /charge") { [ledger, knowsKey] _ in
      ledger.withLock { if !knowsKey || $0.isEmpty { $0.append("order") } }
    }
  }

  var observed: [Observed] {
    [Observed("ledger", of: { [ledger] in ledger.withLock { $0 } }) { .list($0.map { .text($0) }) }]
  }
}

@Suite struct `A scenario in which a request arrives twice` {
  private func report(_ variant: String) throws -> Simulation.Execution {
    let text =
      #"{ "version": 1, "scenarios": [ { "name": "test", "about": "A test.", "system": "till", "world": { "network": "#
      + #"{ "POST /charge": { "delay": "1s", "fails": "arrives-twice" } } }, "script": [ { "do": "pay" } ], "#
      + #""check": [ "at-most-once" ], "expect": { "naive": "holds", "hardened": "holds" } } ] }"#
    let scenario = try ScenarioFile(
      Array(text.utf8), named: "t.json", in: Vocabulary(systems: [Till.descriptor])
    ).scenarios[0]
    return simulate(.natural, options: scenario.executionOptions, scenario.body(variant, of: Till.self))
  }

  @Test func `charges twice where the server knows no key`() throws {
    let naive = try report("naive")
    #expect(naive.script == ["0 s: pay begins", "1 s: pay returned"])
    #expect(naive.violations.map(\.message) == ["at 2 s ledger has order twice: [order, order]"])
    #expect(try report("hardened").violations.map(\.message) == [])
  }
}
