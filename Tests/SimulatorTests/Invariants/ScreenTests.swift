import Simulator
import Testing

@Suite struct LatestWinsTests {
  private let invariant = Invariant.latestWins("GET /inbox", on: "screen")

  /// Two requests, one after the other, of which the first takes `first` and the second `second` seconds.
  private static func race(
    _ first: Int, _ second: Int, isShown: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork([
        "GET /inbox": [FakeBehavior(delay: .seconds(first)), FakeBehavior(delay: .seconds(second))]
      ])
      let load: @Sendable () async throws -> Void = {
        let answer = try await network.exchange("GET /inbox", showing: { .int($0) }) { $0.number }
        if isShown(answer) { await screen.show(.int(answer)) }
      }
      async let older: Void = load()
      try await Task.sleep(for: .milliseconds(1))
      async let newer: Void = load()
      _ = try await (older, newer)
    }
  }

  @Test func `the older reply that comes last and overwrites the newer breaks it`() {
    #expect(invariant.isBroken(Self.race(5, 1)))
  }

  @Test func `the newer reply that is dropped for the older breaks it`() {
    #expect(invariant.isBroken(Self.race(1, 5) { $0 == 1 }))
  }

  @Test func `a cancel that comes when all is over excuses nothing`() {
    let late: @Sendable (Simulation) async throws -> Void = { simulation in
      try await Self.race(1, 5) { $0 == 1 }(simulation)
      simulation.record(.cancelled(Trace.Action(label: "refresh", name: "refresh")))
    }
    #expect(invariant.isBroken(late))
  }

  @Test func `replies in order hold`() {
    #expect(invariant.holds(Self.race(1, 5)))
  }

  @Test func `the older reply that is dropped holds`() {
    #expect(invariant.holds(Self.race(5, 1) { $0 == 2 }))
  }

  @Test func `going back because the save failed is no race`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(1))
      let store = FakeStore(["write": [FakeBehavior(faults: [.beforeCommit])]])
      for _ in 1...2 {
        let before = await screen.value
        let answer = try await network.exchange("GET /inbox", showing: { .int($0) }) { $0.number }
        await screen.show(.int(answer))
        guard answer == 2 else { continue }
        do { try await store.write(answer, for: "inbox") } catch { await screen.show(before) }
      }
    }
    #expect(holds)
  }

  @Test func `a server that keeps the older value breaks it, even if the screen is right`() {
    let (sentences, _) = Invariant.latestWins("PUT /like", on: "heart", alsoOn: "screen").judging {
      simulation in
      let server = Screen(simulation)
      let network = FakeNetwork([
        "PUT /like": [FakeBehavior(delay: .seconds(2)), FakeBehavior(delay: .seconds(1))]
      ])
      let put: @Sendable () async throws -> Void = {
        let number = try await network.exchange("PUT /like", showing: { .int($0) }) { $0.number }
        await server.show(.int(number))
      }
      async let older: Void = put()
      try await Task.sleep(for: .milliseconds(1))
      async let newer: Void = put()
      _ = try await (older, newer)
    }
    #expect(sentences == ["screen showed 2 and went back to 1, the answer to an older request"])
  }

  /// A search for `a` that fails, and one for `b` that is answered; `a` is sent first, and told of at `moment`.
  private static func search(
    failingAt moment: Duration, andLaterFails: Bool = false
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let shown: @Sendable (Trace.Value, Trace.Value) -> Trace.Value = {
        .record([.init("phase", $0), .init("results", $1)])
      }
      let screen = Screen(simulation, shown("idle", .none))
      let network = FakeNetwork([
        "GET /search": [
          FakeBehavior(delay: .fixed(moment), replies: [.offline]), FakeBehavior(delay: .seconds(1)),
          FakeBehavior(replies: [.offline]),
        ]
      ])
      let search: @Sendable () async -> Void = {
        do {
          let answer = try await network.exchange("GET /search", showing: { .int($0) }) { $0.number }
          await screen.show(shown("found", .int(answer)))
        } catch {
          await screen.show(shown("failed", .int(2)))
        }
      }
      async let older: Void = search()
      try await Task.sleep(for: .milliseconds(1))
      async let newer: Void = search()
      _ = await (older, newer)
      if andLaterFails { await search() }
    }
  }

  @Test func `an older request's failure over a newer answer breaks it, where failures are judged`() {
    let judging = Invariant.latestWins("GET /search", on: "screen", "results", failing: "phase")
    #expect(judging.isBroken(Self.search(failingAt: .seconds(5))))
    #expect(judging.holds(Self.search(failingAt: .milliseconds(500))))
    #expect(judging.holds(Self.search(failingAt: .milliseconds(500), andLaterFails: true)))
    let resultsOnly = Invariant.latestWins("GET /search", on: "screen", "results")
    #expect(resultsOnly.holds(Self.search(failingAt: .seconds(5))))
  }

  @Test func `an answer that comes after a newer request has failed may be dropped`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork([
        "GET /inbox": [
          FakeBehavior(), FakeBehavior(delay: .seconds(2)),
          FakeBehavior(delay: .seconds(1), replies: [.offline]),
        ]
      ])
      let load: @Sendable () async throws -> Int = {
        try await network.exchange("GET /inbox", showing: { .int($0) }) { $0.number }
      }
      await screen.show(.int(try await load()))
      async let older = load()
      try await Task.sleep(for: .milliseconds(1))
      async let newer = load()
      _ = try? await newer
      _ = try await older
    }
    #expect(holds)
  }

  @Test func `what the user wants again is no old answer`() {
    let holds = Invariant.latestWins("PUT /like", on: "screen").holds { simulation in
      let screen = Screen(simulation, false)
      let network = FakeNetwork(delay: .seconds(1))
      for wanted in [true, false, true] {
        await screen.show(.bool(wanted))
        _ = try await network.exchange("PUT /like", showing: { .bool($0) }) { _ in wanted }
      }
    }
    #expect(holds)
  }

  /// Taps that each show at once what they want; the tap with this number fails, and shows what was there before.
  private static func taps(_ count: Int, failing failed: Int) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation, false)
      let replies: [FakeReply] = [.ok(), .offline]
      let network = FakeNetwork([
        "PUT /like": (1...count).map {
          FakeBehavior(delay: .seconds(1), replies: [$0 == failed ? replies[1] : replies[0]])
        }
      ])
      var isLiked = false
      for number in 1...count {
        let (before, wanted) = (isLiked, !isLiked)
        await simulation.act("tap \(number)") { screen.show(.bool(wanted)) }.value
        do {
          isLiked = try await network.exchange("PUT /like", showing: { .bool($0) }) { _ in wanted }
        } catch {
          isLiked = before
          await screen.show(.bool(before))
        }
      }
    }
  }

  @Test(arguments: [(3, 2), (4, 3)])
  func `what the user wants at once is no old answer, also after a tap that failed`(count: Int, failed: Int) {
    let (sentences, _) = Invariant.latestWins("PUT /like", on: "screen")
      .judging(Self.taps(count, failing: failed))
    #expect(sentences == [])
  }

  @Test func `the answer to a request that was given up may be dropped`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(1), ignoresCancellation: [true])
      let load: @Sendable () async throws -> Int = {
        try await network.exchange("GET /inbox", showing: { .int($0) }) { $0.number }
      }
      await screen.show(.int(try await load()))
      let task = Task { try await load() }
      task.cancel()
      _ = await task.result
    }
    #expect(holds)
  }
}

@Suite struct CancelIsNotFailureTests {
  private let invariant = Invariant.cancelIsNotFailure(on: "screen")

  private static func load(
    _ reply: FakeReply = .ok(), cancelsAt moment: Duration? = nil, showsCancel: Bool = true
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(5), replies: [reply])
      let task = Task { @MainActor in
        do {
          let response = try await network.send(FakeNetwork.Request("GET", "/inbox"))
          screen.show(response.status < 400 ? "loaded" : "failed")
        } catch {
          if showsCancel || !(error is CancellationError) { screen.show("failed") }
        }
      }
      if let moment {
        try await Task.sleep(for: moment)
        simulation.record(.cancelled(Trace.Action(label: "load", name: "load")))
        task.cancel()
      }
      await task.value
    }
  }

  @Test func `a cancel that is shown as a failure breaks it`() {
    #expect(invariant.isBroken(Self.load(cancelsAt: .seconds(1))))
  }

  @Test func `a cancel that is not shown holds`() {
    #expect(invariant.holds(Self.load(cancelsAt: .seconds(1), showsCancel: false)))
  }

  /// A load that fails, and another that is cancelled; after which the screen shows `last`.
  private static func loads(_ last: Trace.Value) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation)
      let network = FakeNetwork(delay: .seconds(1), replies: [.offline])
      _ = try? await network.send(FakeNetwork.Request("GET", "/inbox"))
      await screen.show("failed")
      await screen.show("loading")
      let task = Task { try await network.send(FakeNetwork.Request("GET", "/inbox")) }
      try await Task.sleep(for: .milliseconds(1))
      simulation.record(.cancelled(Trace.Action(label: "load", name: "load")))
      task.cancel()
      _ = await task.result
      if last != "failed" { await screen.show(last) }
      await screen.show("failed")
    }
  }

  @Test func `a screen that goes back to the failure that it showed before tells of the same one`() {
    #expect(invariant.holds(Self.loads("failed")))
  }

  @Test func `what else the screen shows meanwhile does not count as another status`() {
    let invariant = Invariant.cancelIsNotFailure(on: "screen", "phase")
    @Sendable func shown(_ phase: Trace.Value, _ offset: Int) -> Trace.Value {
      .record([.init("phase", phase), .init("offset", .int(offset))])
    }
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation, shown("idle", 0))
      let network = FakeNetwork(delay: .none, replies: [.offline])
      _ = try? await network.send(FakeNetwork.Request("GET", "/inbox"))
      simulation.record(.cancelled(Trace.Action(label: "load", name: "load")))
      for (phase, offset) in [("failed", 0), ("loading", 0), ("loading", 1), ("failed", 1)] {
        await screen.show(shown(.text(phase), offset))
        await Task.yield()
      }
    }
    #expect(holds)
  }

  @Test func `a failure that is shown once more after something else breaks it`() {
    #expect(invariant.isBroken(Self.loads("loaded")))
  }

  @Test func `a failure that is shown holds, also after a cancel that came too late`() {
    #expect(invariant.holds(Self.load(.offline, cancelsAt: .seconds(6))))
  }

  @Test func `a status that tells of a failure is a failure`() {
    #expect(invariant.holds(Self.load(.status(503), cancelsAt: .seconds(6))))
  }

  @Test func `without a cancel there is nothing to judge`() {
    #expect(!invariant.judging(Self.load(.offline)).judged)
  }
}

@Suite struct NoPartialStateTests {
  private let invariant = Invariant.noPartialState(on: "screen", "letters", of: .answers(to: "GET /inbox"))

  private static func shown(_ phase: String, _ letters: [String]) -> Trace.Value {
    .record([.init("phase", .text(phase)), .init("letters", .list(letters.map { .text($0) }))])
  }

  private static func show(_ values: Trace.Value...) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation, shown("idle", []))
      _ = try await FakeNetwork().exchange("GET /inbox", showing: { .list($0.map { .text($0) }) }) { _ in
        ["a", "b"]
      }
      for value in values { await screen.show(value) }
    }
  }

  @Test func `half an answer that calls itself loaded breaks it`() {
    #expect(invariant.isBroken(Self.show(Self.shown("loaded", ["a"]))))
  }

  @Test func `two answers in one list break it`() {
    #expect(invariant.isBroken(Self.show(Self.shown("loaded", ["a", "b", "a", "b"]))))
  }

  @Test func `half an answer while it is loading holds, and then the whole`() {
    #expect(invariant.holds(Self.show(Self.shown("loading", ["a"]), Self.shown("loaded", ["a", "b"]))))
  }
}
