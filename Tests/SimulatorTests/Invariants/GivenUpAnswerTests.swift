import Simulator
import Testing

/// A program that has an answer in hand, and cancels a task of its own before the answer is shown.
@Suite struct GivenUpAnswerTests {
  private let invariant = Invariant.latestWins("GET /inbox", on: "screen")

  /// The first answer is shown; the second is not, and `meanwhile` happens while it is in hand.
  private static func refreshes(
    meanwhile: @escaping @Sendable (Task<Void, any Error>) async -> Void
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(1))
      let load: @Sendable () async throws -> Int = {
        try await network.exchange("GET /inbox", showing: { .int($0) }) { $0.number }
      }
      await screen.show(.int(try await load()))
      let refresh = Task {
        let answer = try await load()
        try await Task.sleep(for: .seconds(1))
        if answer != 2 { await screen.show(.int(answer)) }
      }
      try await Task.sleep(for: .milliseconds(1_500))
      await meanwhile(refresh)
      try? await refresh.value
    }
  }

  @Test func `an answer whose task is given up with it in hand may be dropped`() {
    #expect(invariant.holds(Self.refreshes { $0.cancel() }))
  }

  @Test func `an answer that nobody gives up may not`() {
    #expect(invariant.isBroken(Self.refreshes { _ in }))
  }

  @Test func `a cancel of what has ended gives nothing up`() {
    let ended: @Sendable (Task<Void, any Error>) async -> Void = { _ in
      let other = Task {}
      await other.value
      other.cancel()
    }
    #expect(invariant.isBroken(Self.refreshes(meanwhile: ended)))
  }

  @Test func `an answer that is given up may not come back over a newer one`() {
    let (sentences, _) = invariant.judging { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(1))
      let load: @Sendable () async throws -> Int = {
        try await network.exchange("GET /inbox", showing: { .int($0) }) { $0.number }
      }
      let older = Task {
        let answer = try await load()
        try? await Task.sleep(for: .seconds(5))
        // In a task of its own, where nothing knows of the cancel.
        await Task { await screen.show(.int(answer)) }.value
      }
      try await Task.sleep(for: .seconds(2))
      let newer = try await load()
      await screen.show(.int(newer))
      older.cancel()
      try await older.value
    }
    #expect(sentences == ["screen showed 2 and went back to 1, the answer to an older request"])
  }
}
