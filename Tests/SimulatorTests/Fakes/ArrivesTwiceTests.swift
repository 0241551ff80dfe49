import Simulator
import Testing

@Suite struct `A request that arrives twice` {
  /// What a server did, and when.
  private static func charges(
    by network: FakeNetwork, _ ask: @escaping @Sendable (FakeNetwork, Box<[String]>) async throws -> Void
  ) -> (acts: [String], execution: Simulation.Execution) {
    let acts = Box<[String]>([])
    let execution = simulate { _ in try await ask(network, acts) }
    return (acts.value, execution)
  }

  /// Charges once, as the program has it.
  private static func charge(_ network: FakeNetwork, _ acts: Box<[String]>) async throws -> String {
    let start = ContinuousClock.now
    return try await network.exchange("POST /charge") { request in
      let again = request.hasArrivedBefore ? " again" : ""
      acts.value.append("charged\(again) at \(start.duration(to: .now))")
      return "receipt\(again)"
    }
  }

  @Test func `is acted on twice, and answered once`() {
    let answer = Box("")
    let network = FakeNetwork(arrivalDelay: .seconds(1), delay: .seconds(3), faults: [.arrivesTwice])
    let (acts, execution) = Self.charges(by: network) { network, acts in
      answer.value = try await Self.charge(network, acts)
    }
    #expect(acts == ["charged at 1.0 seconds", "charged again at 2.0 seconds"])
    #expect(answer.value == "receipt")
    #expect(network.received("POST /charge").once)
    #expect(network.calls.first?.effects == ["served", "served again"])
    #expect(execution.trace.events.count { if case .effect = $0.kind { true } else { false } } == 2)
  }

  @Test func `arrives again as a step of its own where its way takes no time`() {
    let network = FakeNetwork(delay: .none, faults: [.arrivesTwice])
    let (acts, _) = Self.charges(by: network) { _ = try await Self.charge($0, $1) }
    #expect(acts == ["charged at 0.0 seconds", "charged again at 0.0 seconds"])
  }

  @Test func `arrives again although its caller was cancelled meanwhile`() {
    let network = FakeNetwork(arrivalDelay: .seconds(1), delay: .seconds(9), faults: [.arrivesTwice])
    let (acts, execution) = Self.charges(by: network) { network, acts in
      let task = Task { try await Self.charge(network, acts) }
      try await Task.sleep(for: .milliseconds(1_500))
      task.cancel()
    }
    #expect(acts == ["charged at 1.0 seconds", "charged again at 2.0 seconds"])
    #expect(execution.outcomes == [.cancelled])
  }

  @Test func `arrives again although the process has died that sent it`() {
    let acts = Box<[String]>([])
    _ = simulate { simulation in
      let network = FakeNetwork(arrivalDelay: .seconds(1), delay: .seconds(9), faults: [.arrivesTwice])
      let app = simulation.launch { _ = try? await Self.charge(network, acts) }
      try await Task.sleep(for: .milliseconds(1_500))
      app.kill()
      try await Task.sleep(for: .seconds(5))
    }
    #expect(acts.value == ["charged at 1.0 seconds", "charged again at 2.0 seconds"])
  }

  @Test func `does not arrive again where it has not arrived`() {
    let network = FakeNetwork(arrivalDelay: .seconds(2), delay: .seconds(9), faults: [.arrivesTwice])
    let (acts, _) = Self.charges(by: network) { network, acts in
      let task = Task { try await Self.charge(network, acts) }
      try await Task.sleep(for: .seconds(1))
      task.cancel()
    }
    #expect(acts == [])
  }

  @Test func `arrives again where the server refused it`() {
    let network = FakeNetwork(delay: .seconds(1), faults: [.arrivesTwice])
    let (acts, execution) = Self.charges(by: network) { network, acts in
      try? await network.exchange("POST /charge") { _ in
        acts.value.append("refused")
        throw FakeNetwork.Failure.timedOut
      }
    }
    #expect(acts == ["refused", "refused"])
    #expect(execution.outcomes == [.threw("timed out")])
  }

  /// What a server charges, with a key that tells whether it has seen a request, or without.
  private static func charging(withKey: Bool) -> Explorer.Report {
    var explorer = Explorer(name: "charges") { simulation in
      simulation.require(.atMostOnce(in: "ledger", by: "POST /charge"))
      let ledger = Box<[String]>([])
      let network = FakeNetwork(
        arrivalDelay: .between(.zero, and: .seconds(1)), delay: .seconds(1),
        faults: [.noFault, .arrivesTwice])
      simulation.observe("ledger") { .list(ledger.value.map { .text($0) }) }
      try await network.exchange("POST /charge") { _ in
        if !withKey || !ledger.value.contains("order 1") { ledger.value.append("order 1") }
      }
      try await Task.sleep(for: .seconds(5))
    }
    explorer.budget.schedules = 100
    return explorer.explore()
  }

  @Test func `breaks at-most-once where the server knows no key`() {
    #expect(Self.charging(withKey: true).violations.map(\.message) == [])
    let found = Self.charging(withKey: false).violations
    #expect(found.map(\.invariant) == ["at-most-once"])
    #expect(found.first?.diagnosis == .repeatedEffect)
  }
}
