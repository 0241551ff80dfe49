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

/// What else is cancelled while an answer is owed that is never shown, and the program is to blame or not.
@Suite struct CancelBesideTests {
  private let invariant = Invariant.latestWins("GET /inbox", on: "screen")

  private static let load: @Sendable (FakeNetwork) async throws -> Int = { network in
    try await network.exchange("GET /inbox", showing: { .int($0) }) { $0.number }
  }

  /// The first answer is shown. The second comes at 2 s and is dropped; `beside` begins at 1 s, and its task is cancelled at
  /// 3 s.
  private static func drops(
    on executor: (any TaskExecutor)? = nil,
    beside: @escaping @Sendable (FakeNetwork, Screen) async throws -> Void
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork([
        "GET /inbox": [FakeBehavior(delay: .seconds(1))], "GET /picture": [FakeBehavior(delay: .seconds(9))],
      ])
      await screen.show(.int(try await load(network)))
      let refresh = Task {
        _ = try await load(network)
        try await Task.sleep(for: .seconds(5))
      }
      let other = Task(executorPreference: executor) { try await beside(network, screen) }
      try await Task.sleep(for: .seconds(2))
      other.cancel()
      try? await other.value
      try await refresh.value
    }
  }

  @Test func `a cancel of what sleeps since before the answer came excuses nothing`() {
    #expect(invariant.isBroken(Self.drops { _, _ in try await Task.sleep(for: .seconds(9)) }))
  }

  @Test func `a cancel of what waits for another answer excuses nothing`() {
    let picture: @Sendable (FakeNetwork, Screen) async throws -> Void = { network, _ in
      _ = try await network.send(FakeNetwork.Request("GET", "/picture"))
    }
    #expect(invariant.isBroken(Self.drops(beside: picture)))
  }

  @Test func `what has done something since may have had the answer`() {
    let wakes: @Sendable (FakeNetwork, Screen) async throws -> Void = { _, _ in
      try await Task.sleep(for: .milliseconds(1_500))
      try await Task.sleep(for: .seconds(9))
    }
    #expect(invariant.holds(Self.drops(beside: wakes)))
  }

  @Test func `what waits for something that is no sleep may be waiting for the answer`() {
    let waits: @Sendable (FakeNetwork, Screen) async throws -> Void = { @MainActor _, _ in
      try await Task.sleep(for: .milliseconds(10))
      let (stream, end) = AsyncStream.makeStream(of: Int.self)
      for await _ in stream {}
      end.finish()
    }
    #expect(invariant.holds(Self.drops(beside: waits)))
  }

  @Test func `what slept before on an executor of its own sleeps no more`() {
    let waits: @Sendable (FakeNetwork, Screen) async throws -> Void = { _, _ in
      try await Task.sleep(for: .milliseconds(10))
      let (stream, end) = AsyncStream.makeStream(of: Int.self)
      for await _ in stream {}
      end.finish()
    }
    #expect(invariant.holds(Self.drops(on: QueueTurnsOfTasks(), beside: waits)))
  }

  @Test func `what has changed the screen before may be about to do so again`() {
    let shows: @Sendable (FakeNetwork, Screen) async throws -> Void = { _, screen in
      await screen.show("refreshing")
      try await Task.sleep(for: .seconds(9))
    }
    let (sentences, judged) = invariant.judging(Self.drops(beside: shows))
    #expect(sentences == [] && judged)
  }

  @Test func `who has made the one that asks waits for the answer, even asleep`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(1))
      await screen.show(.int(try await Self.load(network)))
      let refresh = Task {
        let asked = Task { try await Self.load(network) }
        // The wait is to be seen for some time, however fast the answer is.
        try await Task.sleep(for: .seconds(5))
        await screen.show(.int(try await asked.value))
      }
      try await Task.sleep(for: .seconds(2))
      refresh.cancel()
      try? await refresh.value
    }
    #expect(holds)
  }

  @Test func `where one who asked was cancelled another may have taken over`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(1))
      await screen.show(.int(try await Self.load(network)))
      let (asked, isAsked) = AsyncStream.makeStream(of: Task<Int, any Error>.self)
      let first = Task {
        let request = Task { try await Self.load(network) }
        isAsked.yield(request)
        let answer = try await request.value
        try Task.checkCancellation()
        await screen.show(.int(answer))
      }
      var requests = asked.makeAsyncIterator()
      guard let request = await requests.next() else { return }
      let second = Task {
        try await Task.sleep(for: .seconds(5))
        await screen.show(.int(try await request.value))
      }
      try await Task.sleep(for: .milliseconds(500))
      first.cancel()
      try await Task.sleep(for: .seconds(2))
      second.cancel()
      try? await second.value
      try? await first.value
    }
    #expect(holds)
  }

  @Test func `an answer is not owed when a newer request is given up, though that goes on`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork([
        "GET /inbox": [
          FakeBehavior(delay: .seconds(1)), FakeBehavior(delay: .seconds(2)),
          FakeBehavior(delay: .seconds(9), ignoresCancellation: [true]),
        ]
      ])
      await screen.show(.int(try await Self.load(network)))
      let older = Task { try await Self.load(network) }
      try await Task.sleep(for: .seconds(1))
      // Whoever asks anew wants nothing of the older answer.
      let newer = Task { try await Self.load(network) }
      _ = try await older.value
      newer.cancel()
      _ = try await newer.value
    }
    #expect(holds)
  }
}
