import Simulator
import Testing

@Suite struct NoStaleCacheTests {
  private let invariant = Invariant.noStaleCache(in: "screen", of: "GET /list", after: "sign-out")

  /// Asks once before the sign-out and once after; `shown` says what the screen has after each of the three.
  private static func signOut(
    _ shown:
      @escaping @Sendable (_ older: Trace.Value, _ newer: Trace.Value) -> (
        Trace.Value, Trace.Value, Trace.Value
      )
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(1))
      let ask: @Sendable () async throws -> Void = {
        _ = try await network.exchange("GET /list", showing: { .int($0) }) { $0.number }
      }
      try await ask()
      await screen.show(shown(1, 2).0)
      await simulation.act("sign-out") { screen.show(shown(1, 2).1) }.value
      try await ask()
      await screen.show(shown(1, 2).2)
    }
  }

  @Test func `an answer that is still there after the sign-out breaks it`() {
    let (sentences, _) = invariant.judging(Self.signOut { older, newer in (older, older, newer) })
    #expect(sentences == ["screen has 1, fetched before sign-out, which ended at 1 s"])
  }

  @Test func `an answer that comes back after the sign-out breaks it, in a list too`() {
    #expect(invariant.isBroken(Self.signOut { older, _ in (older, "empty", older) }))
    #expect(invariant.isBroken(Self.signOut { older, newer in (older, "empty", .list([newer, older])) }))
    #expect(
      invariant.isBroken(Self.signOut { older, _ in (older, "empty", .record([.init("page", older)])) }))
  }

  @Test func `a screen that is emptied and filled anew holds`() {
    #expect(invariant.holds(Self.signOut { older, newer in (older, "empty", newer) }))
  }

  @Test func `what was asked for while the sign-out was under way is not judged`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(1))
      let signOut = simulation.act("sign-out") { try await Task.sleep(for: .milliseconds(500)) }
      try await Task.sleep(for: .milliseconds(100))
      _ = try await network.exchange("GET /list", showing: { .int($0) }) { $0.number }
      await screen.show(1)
      await signOut.value
    }
    #expect(holds)
  }

  @Test func `a sign-out that fails discards nothing`() {
    let (sentences, judged) = invariant.judging { simulation in
      let screen = Screen(simulation)
      _ = try await FakeNetwork().exchange("GET /list", showing: { .int($0) }) { $0.number }
      await screen.show(1)
      await simulation.act("sign-out") { throw FakeNetwork.Failure.offline }.value
    }
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}

@Suite struct NoExpiredTokenSentTests {
  private let invariant = Invariant.noExpiredTokenSent("GET /list")

  /// A token is looked at, something is awaited, and then it is used.
  private static func send(
    after wait: Duration, delay: FakeTiming = .none
  ) -> @Sendable (Simulation) async throws -> Void {
    { _ in
      let tokens = FakeTokenService(lifetime: .seconds(1))
      let token = tokens.issue().text
      try await Task.sleep(for: wait)
      try await FakeNetwork(delay: delay).exchange("GET /list", tokens.traceValue(of: token)) { _ in }
    }
  }

  @Test func `a token that expires before it is used breaks it`() {
    let (sentences, _) = invariant.judging(Self.send(after: .seconds(3)))
    #expect(sentences == ["at 3 s GET /list was sent with token 1, which had expired 2 s ago"])
  }

  @Test func `a token that is good when it is used holds, though it expires on the wire`() {
    #expect(invariant.holds(Self.send(after: .milliseconds(999), delay: .seconds(5))))
  }

  @Test func `without a request there is nothing to judge`() {
    #expect(!invariant.judging { _ in _ = try await FakeTokenService(lifetime: .zero).refresh() }.judged)
  }
}

@Suite struct CacheMatchesDiskTests {
  private let invariant = Invariant.cacheMatchesDisk("screen", "disk")

  /// Writes each of `saved` for `a`, and then has the cache go through `cached`.
  private static func save(
    _ saved: Int..., cached: Int...
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let store = FakeStore(holding: ["a": 0, "b": 0])
      let disk: @Sendable () -> Trace.Value = {
        store.assumeIsolated { store in
          .record(["a", "b"].map { .init($0, .int(store.value($0, as: Int.self) ?? -1)) })
        }
      }
      simulation.record(.changed(name: "disk", from: .none, to: simulation.outsideSteps(disk)))
      simulation.observe("disk", disk)
      let cache = Screen(simulation, .none)
      for value in saved { try await store.write(value, for: "a") }
      for value in cached { await cache.show(.record([.init("a", .int(value))])) }
    }
  }

  private func race(_ body: @escaping @Sendable (Simulation) async throws -> Void) -> Invariant.Diagnosis? {
    simulate { [invariant] simulation in
      simulation.require(invariant)
      try await body(simulation)
    }.violations.first?.diagnosis
  }

  @Test func `a cache that has another value than the disk breaks it`() {
    let (sentences, _) = invariant.judging(Self.save(1, 2, cached: 2, 1))
    #expect(sentences == ["at rest screen has 1 for a, and disk has 2"])
  }

  @Test func `a cache that holds a part of what the disk holds holds`() {
    #expect(invariant.holds(Self.save(1, cached: 1)))
  }

  @Test func `a cache that was wrong for a while holds`() {
    #expect(invariant.holds(Self.save(1, cached: 0, 1)))
  }

  @Test func `it tells what went back from what never came and from what was never saved`() {
    #expect(race(Self.save(1, 2, cached: 2, 1)) == .staleOverNewer)
    #expect(race(Self.save(1, cached: 0)) == .savedNotShown)
    #expect(race(Self.save(1, cached: 7)) == .shownNotSaved)
  }

  @Test func `what the disk has held twice tells nothing`() {
    let execution = simulate { [invariant] simulation in
      simulation.require(invariant)
      try await Self.save(1, 2, 1, cached: 1, 2)(simulation)
    }
    #expect(execution.violations.map(\.diagnosis) == [nil])
  }

  @Test func `without a cached entry there is nothing to judge`() {
    #expect(!invariant.judging(Self.save(1)).judged)
  }
}
