import Simulator
import Testing

/// An invariant of the user's own, as the documentation of `Invariant` writes it.
@Suite struct `A user's own invariant` {
  struct PaidOnce: Invariant.Monitor {
    private var paid: Set<String> = []
    var judged: Bool { !paid.isEmpty }

    mutating func saw(_ event: Trace.Event) -> String? {
      guard case .began(let call) = event.kind, call.operation == "POST /pay" else { return nil }
      return paid.insert(call.detail.description).inserted ? nil : "\(call.detail) is paid twice"
    }
  }

  private static func pay(_ orders: [String]) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      simulation.require(Invariant("paid-once", "No order is paid twice.") { PaidOnce() })
      for order in orders { simulation.record(.began(simulation.call("bank", "POST /pay", .text(order)))) }
    }
  }

  @Test func `a violation has the name of the invariant and the sentence of its monitor`() {
    let execution = simulate(.natural, Self.pay(["a", "b", "a"]))
    #expect(execution.violations.map(\.invariant) == ["paid-once"])
    #expect(execution.violations.first?.message.contains("is paid twice") == true)
    #expect(execution.violations.first?.diagnosis == nil)
  }

  @Test func `an execution without a violation holds, and one without an event to check is vacuous`() {
    #expect(simulate(.natural, Self.pay(["a", "b"])).violations.isEmpty)
    #expect(simulate(.natural, Self.pay(["a"])).vacuousInvariants.isEmpty)
    #expect(simulate(.natural, Self.pay([])).vacuousInvariants == ["paid-once"])
  }
}
