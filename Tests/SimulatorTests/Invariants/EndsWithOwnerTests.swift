import Simulator
import Testing

@Suite struct EndsWithOwnerTests {
  private static let invariant = Invariant.endsWithOwner("GET /profile", by: "profile")

  /// A screen that asks, is left after a second, and cancels its task then or some time later.
  private static func screen(
    cancelsAfter delay: Duration?, returnsAt: Duration? = nil, ignoresCancellation: Bool = false
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let network = FakeNetwork(delay: .seconds(5), ignoresCancellation: [ignoresCancellation])
      let task = Task { try await network.exchange("GET /profile") { _ in } }
      try await Task.sleep(for: .seconds(1))
      if delay == .zero { task.cancel() }
      simulation.record(.dismissed(owner: "profile"))
      if let returnsAt {
        try await Task.sleep(for: returnsAt)
        simulation.record(.appeared(owner: "profile"))
      }
      if let delay, delay > .zero {
        try await Task.sleep(for: delay)
        task.cancel()
      }
      _ = await task.result
    }
  }

  @Test func `a request that goes on breaks it`() {
    let (sentences, _) = Self.invariant.judging(Self.screen(cancelsAfter: nil))
    #expect(
      sentences == [
        "profile was dismissed at 1 s, and at 5 s GET /profile, sent at 0 s, has not been canceled"
      ])
  }

  @Test func `one that is canceled with the screen holds, also on a network that ignores it`() {
    #expect(Self.invariant.holds(Self.screen(cancelsAfter: .zero)))
    #expect(Self.invariant.holds(Self.screen(cancelsAfter: .zero, ignoresCancellation: true)))
  }

  @Test func `a cancel within the bound holds, and a later one does not`() {
    let bounded = Invariant.endsWithOwner("GET /profile", by: "profile", within: .milliseconds(100))
    #expect(bounded.holds(Self.screen(cancelsAfter: .milliseconds(100))))
    #expect(bounded.isBroken(Self.screen(cancelsAfter: .milliseconds(101))))
    #expect(Self.invariant.isBroken(Self.screen(cancelsAfter: .milliseconds(1))))
  }

  @Test func `an owner that comes back in the same moment may go on, and another owner does not count`() {
    #expect(Self.invariant.holds(Self.screen(cancelsAfter: nil, returnsAt: .zero)))
    let other = Invariant.endsWithOwner("GET /profile", by: "settings")
    let (sentences, judged) = other.judging(Self.screen(cancelsAfter: nil))
    #expect(sentences == [] && !judged)
  }

  @Test(arguments: [Duration.zero, .seconds(5)])
  func `a request that is sent after the owner has gone breaks it`(delay: Duration) {
    #expect(
      Self.invariant.isBroken { simulation in
        let network = FakeNetwork(delay: .fixed(delay))
        simulation.record(.dismissed(owner: "profile"))
        try await Task.sleep(for: .seconds(1))
        try await network.exchange("GET /profile") { _ in }
      })
  }

  @Test func `while the owner is there, there is nothing to judge`() {
    let (sentences, judged) = Self.invariant.judging { _ in
      try await FakeNetwork(delay: .seconds(5)).exchange("GET /profile") { _ in }
    }
    #expect(sentences == [] && !judged)
  }
}
