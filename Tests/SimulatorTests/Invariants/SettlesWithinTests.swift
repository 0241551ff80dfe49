import Simulator
import Testing

@Suite struct SettlesWithinTests {
  private let invariant = Invariant.settles(within: .seconds(2))

  @Test func `work that goes on past the bound breaks it, no matter which task started it`() {
    let broken = invariant.isBroken { simulation in
      await simulation.act("open") {
        Task { try await FakeNetwork(delay: .seconds(3)).exchange("GET /") { _ in } }
      }.value
    }
    #expect(broken)
  }

  @Test func `work within the bound holds`() {
    let holds = invariant.holds { simulation in
      await simulation.act("open") {
        try await FakeNetwork(delay: .seconds(2)).exchange("GET /") { _ in }
      }.value
    }
    #expect(holds)
  }

  @Test func `the bound counts from the last thing that the user did`() {
    let holds = invariant.holds { simulation in
      let network = FakeNetwork(delay: .milliseconds(1_500))
      let first = simulation.act("open") { try await network.exchange("GET /a") { _ in } }
      try await Task.sleep(for: .seconds(1))
      let second = simulation.act("again") { try await network.exchange("GET /b") { _ in } }
      _ = await (first.value, second.value)
    }
    #expect(holds)
  }

  @Test func `what never ends is noticed at the end`() {
    let (sentences, _) = invariant.judging(until: .seconds(10)) { simulation in
      _ = simulation.act("open") { try await Task.sleep(for: .seconds(3_600)) }
    }
    #expect(
      sentences == [
        "the user last acted at 0 s, and 10 s later (10 s) 0 call(s) and 1 action(s) were still under way, "
          + "not within 2 s"
      ])
  }
}
