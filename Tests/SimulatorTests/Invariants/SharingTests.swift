import Simulator
import Testing

@Suite struct SingleFlightTests {
  private let invariant = Invariant.singleFlight("GET /list")

  @Test func `two identical requests at once break it`() {
    let broken = invariant.isBroken { _ in
      let network = FakeNetwork(delay: .seconds(1))
      async let first: Void = network.exchange("GET /list") { _ in }
      async let second: Void = network.exchange("GET /list") { _ in }
      _ = try await (first, second)
    }
    #expect(broken)
  }

  @Test func `one after the other holds`() {
    let holds = invariant.holds { _ in
      let network = FakeNetwork(delay: .seconds(1))
      try await network.exchange("GET /list") { _ in }
      try await network.exchange("GET /list") { _ in }
    }
    #expect(holds)
  }

  @Test func `requests for different things hold`() {
    let holds = invariant.holds { _ in
      let network = FakeNetwork(delay: .seconds(1))
      async let first: Void = network.exchange("GET /list", "page 1") { _ in }
      async let second: Void = network.exchange("GET /list", "page 2") { _ in }
      _ = try await (first, second)
    }
    #expect(holds)
  }

  @Test func `a request that was given up does not count, even while it is on the wire`() {
    let holds = invariant.holds { _ in
      let network = FakeNetwork(delay: .seconds(5), ignoresCancellation: [true])
      let given = Task { try await network.exchange("GET /list") { _ in } }
      try await Task.sleep(for: .seconds(1))
      given.cancel()
      try await network.exchange("GET /list") { _ in }
    }
    #expect(holds)
  }
}

@Suite struct EveryAskerAnsweredTests {
  private let invariant = Invariant.everyAskerAnswered()

  @Test func `an asker who gets another's cancel breaks it`() {
    let broken = invariant.isBroken { simulation in
      let shared = Task { try await FakeNetwork(delay: .seconds(5)).exchange("GET /list") { _ in } }
      let asker = simulation.act("second") { try await shared.value }
      try await Task.sleep(for: .seconds(1))
      shared.cancel()
      await asker.value
    }
    #expect(broken)
  }

  @Test func `an asker who never hears breaks it`() {
    let (sentences, _) = invariant.judging { simulation in
      _ = simulation.act("first") {
        unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(sentences == ["first has asked at 0 s and has no answer at 0 s"])
  }

  @Test func `an asker who may hear after the time limit is not judged`() {
    let (sentences, _) = invariant.judging(until: .seconds(10)) { simulation in
      _ = simulation.act("first") { try await Task.sleep(for: .seconds(3_600)) }
    }
    #expect(sentences == [])
  }

  @Test func `an error is an answer`() {
    let holds = invariant.holds { simulation in
      await simulation.act("first") {
        try await FakeNetwork(delay: .seconds(1), replies: [.offline]).exchange("GET /list") { _ in }
      }.value
    }
    #expect(holds)
  }

  @Test func `an asker who was cancelled is owed nothing`() {
    let holds = invariant.holds { simulation in
      let asker = simulation.act("first") {
        try await FakeNetwork(delay: .seconds(5)).exchange("GET /list") { _ in }
      }
      try await Task.sleep(for: .seconds(1))
      simulation.record(.cancelled(Trace.Action(label: "first", name: "first")))
      asker.cancel()
      await asker.value
    }
    #expect(holds)
  }
}
