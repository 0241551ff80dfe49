import Simulator
import Testing

@Suite struct StopsWithinTests {
  private let invariant = Invariant.stops(within: .milliseconds(200))

  /// Ten steps of 200 ms, cancelled after half a second.
  private static func work(
    looking: Bool, cancelsAt moment: Duration = .milliseconds(500)
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let task = simulation.act("work") {
        for _ in 1...10 {
          if looking { try Task.checkCancellation() }
          await Simulation.spend(.milliseconds(200))
        }
      }
      try await Task.sleep(for: moment)
      simulation.record(.cancelled(Trace.Action(label: "work", name: "work")))
      task.cancel()
      await task.value
    }
  }

  @Test func `work that goes on to its end breaks it`() {
    #expect(invariant.isBroken(Self.work(looking: false)))
  }

  @Test func `the sentence tells when it was cancelled and when it ended`() {
    #expect(
      invariant.judging(Self.work(looking: false)).sentences
        == ["work was cancelled at 500 ms and ended 1.5 s later (2 s), not within 200 ms"])
  }

  @Test func `work that looks between its steps holds`() {
    #expect(invariant.holds(Self.work(looking: true)))
  }

  @Test func `a cancel after the end is nothing to judge`() {
    let (sentences, judged) = invariant.judging(Self.work(looking: true, cancelsAt: .seconds(3)))
    #expect(sentences.isEmpty)
    #expect(!judged)
  }

  @Test func `what never ends is noticed at the end`() {
    let (sentences, _) = invariant.judging(until: .seconds(10)) { simulation in
      _ = simulation.act("work") { await Simulation.spend(.seconds(3_600)) }
      try await Task.sleep(for: .seconds(1))
      simulation.record(.cancelled(Trace.Action(label: "work", name: "work")))
    }
    #expect(sentences == ["work was cancelled at 1 s and had not ended 9 s later (10 s), not within 200 ms"])
  }
}

@Suite struct StaysLoggedOutTests {
  private let invariant = Invariant.staysLoggedOut("screen")

  /// A screen that holds a token, and a log-out at one second that takes another; `body` does its work beside it.
  private static func logOut(
    lettingGo: Bool = true,
    _ body: @escaping @Sendable (Simulation, Screen) async throws -> Void = { _, _ in }
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation, .none)
      await screen.show("token 0")
      try await Task.sleep(for: .seconds(1))
      let task = simulation.act("log-out") {
        try await Task.sleep(for: .seconds(1))
        if lettingGo { screen.show(.none) }
      }
      try await body(simulation, screen)
      await task.value
    }
  }

  private static func request(_ token: Trace.Value, _ simulation: Simulation) async throws {
    try await FakeNetwork(delay: .milliseconds(1)).exchange("GET /", token) { _ in }
  }

  @Test func `a session that comes back breaks it`() {
    let broken = Self.logOut { _, screen in
      try await Task.sleep(for: .seconds(3))
      await screen.show("token 1")
    }
    #expect(invariant.isBroken(broken))
    #expect(
      invariant.judging(broken).sentences
        == ["the log-out returned at 2 s, and at 4 s screen became token 1"])
  }

  @Test func `a session that is still there when the log-out has returned breaks it`() {
    #expect(
      invariant.judging(Self.logOut(lettingGo: false)).sentences
        == ["the log-out returned at 2 s, and screen holds token 0"])
  }

  @Test func `a request with the old token breaks it, also as a part of what it says`() {
    for detail: Trace.Value in ["token 0", .record([.init("token", "token 0"), .init("page", 1)])] {
      let (sentences, _) = invariant.judging(
        Self.logOut { simulation, _ in
          try await Task.sleep(for: .seconds(3))
          try await Self.request(detail, simulation)
        })
      #expect(sentences == ["at 4 s GET / carried token 0, of a session that is over"])
    }
  }

  @Test func `a session that is gone, in the step in which the log-out returns, holds`() {
    #expect(invariant.holds(Self.logOut()))
  }

  @Test func `until the log-out returns the session may be used and renewed`() {
    let holds = invariant.holds(
      Self.logOut { simulation, screen in
        try await Task.sleep(for: .milliseconds(500))
        try await Self.request("token 0", simulation)
        await screen.show("token 1")
      })
    #expect(holds)
  }

  @Test func `another log-in brings a session of its own, but not the old one`() {
    let logIn: @Sendable (Trace.Value) -> @Sendable (Simulation) async throws -> Void = { token in
      Self.logOut { simulation, screen in
        try await Task.sleep(for: .seconds(3))
        await simulation.act("log-in") { screen.show(token) }.value
        try await Self.request(token, simulation)
      }
    }
    #expect(invariant.holds(logIn("token 1")))
    #expect(
      invariant.judging(logIn("token 0")).sentences
        == ["at 4 s screen became token 0, of a session that is over"])
  }

  @Test func `without a log-out there is nothing to judge`() {
    let (sentences, judged) = invariant.judging { simulation in
      await Screen(simulation, .none).show("token 0")
    }
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}

@Suite struct FinishedIsForgottenTests {
  private let invariant = Invariant.finishedIsForgotten(in: "screen")

  @Test func `what is held at rest breaks it`() {
    let (sentences, _) = invariant.judging { simulation in
      await Screen(simulation, 0).show(2)
    }
    #expect(sentences == ["nothing is under way at 0 s, and screen still holds 2"])
  }

  @Test(arguments: [Trace.Value.none, 0, []])
  func `what has been let go of holds`(nothing: Trace.Value) {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation, nothing)
      await screen.show(["task"])
      await screen.show(nothing)
    }
    #expect(holds)
  }

  @Test func `what is still under way may be held`() {
    let (sentences, judged) = invariant.judging(until: .seconds(10)) { simulation in
      let screen = Screen(simulation, 0)
      _ = simulation.act("load") {
        screen.show(1)
        try await Task.sleep(for: .seconds(3_600))
      }
    }
    #expect(sentences.isEmpty)
    #expect(judged)
  }

  @Test func `where nothing was ever held there is nothing to judge`() {
    #expect(!invariant.judging { _ = Screen($0, 0) }.judged)
  }
}

@Suite struct ScreenOnlyOnMainTests {
  private let invariant = Invariant.screenOnlyOnMain("screen")

  /// A screen that anybody may change.
  private static func observe(_ screen: Box<String>, _ simulation: Simulation) {
    screen.value = "empty"
    simulation.record(.changed(name: "screen", from: .none, to: "empty"))
    simulation.observe("screen") { .text(screen.value) }
  }

  private actor Worker {
    func show(_ text: String, on screen: Box<String>) { screen.value = text }
  }

  @Test func `a change on the pool breaks it`() {
    let screen = Box("empty")
    let (sentences, _) = invariant.judging { simulation in
      Self.observe(screen, simulation)
      try await Task.sleep(for: .seconds(1))
      screen.value = "loaded"
    }
    #expect(sentences == ["at 1 s screen changed from empty to loaded on the concurrent pool"])
  }

  @Test func `a change on an actor that is not the main actor breaks it`() {
    let screen = Box("empty")
    let (sentences, _) = invariant.judging { simulation in
      Self.observe(screen, simulation)
      await Worker().show("loaded", on: screen)
    }
    #expect(sentences == ["at 0 s screen changed from empty to loaded on another actor"])
  }

  @Test func `changes on the main actor hold`() {
    let screen = Box("empty")
    let holds = invariant.holds { simulation in
      Self.observe(screen, simulation)
      await MainActor.run { screen.value = "loaded" }
    }
    #expect(holds)
  }

  @Test func `what the screen shows at first is no change`() {
    let screen = Box("empty")
    let (sentences, judged) = invariant.judging { Self.observe(screen, $0) }
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}

@Suite struct `Freed within a time` {
  /// An object that is there until `end`; the user leaves at one second.
  private static func leaves(_ end: Duration) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let object = Screen(simulation, "alive")
      try await Task.sleep(for: .seconds(1))
      simulation.record(.dismissed(owner: "map"))
      try await Task.sleep(for: end)
      await object.show(.none)
    }
  }

  private let invariant = Invariant.freed("screen", within: .seconds(2))

  @Test func `what is gone in time holds`() {
    #expect(invariant.holds(Self.leaves(.seconds(2))))
  }

  @Test func `what is gone later breaks it, though it is gone by the end`() {
    #expect(
      invariant.judging(Self.leaves(.seconds(3))).sentences
        == ["the user left at 1 s, and at 4 s screen is still alive"])
    #expect(Invariant.freed("screen").holds(Self.leaves(.seconds(3))))
  }
}

@Suite struct `No session left` {
  private let invariant = Invariant.noSessionLeft(in: "screen", on: "disk")

  /// A log-out of which the keychain's part fails or not, before or after the memory's.
  private static func logOut(failing: Bool, keychainFirst: Bool)
    -> @Sendable (Simulation) async throws -> Void
  {
    { simulation in
      let memory = Screen(simulation, "token")
      let faults: [FakeFault] = failing ? [.beforeCommit] : [.noFault]
      let keychain = FakeStore(["transaction": [FakeBehavior(faults: faults)]], holding: ["session": "token"])
      let kept: @Sendable () -> Trace.Value = {
        keychain.assumeIsolated { $0.value("session", as: String.self).map { .text($0) } ?? .none }
      }
      simulation.record(.changed(name: "disk", from: .none, to: simulation.outsideSteps(kept)))
      simulation.observe("disk", kept)
      if !keychainFirst { await memory.show(.none) }
      do { try await keychain.transaction([.remove("session")]) } catch { return }
      await memory.show(.none)
    }
  }

  @Test func `a session that is forgotten in memory only breaks it`() {
    #expect(
      invariant.judging(Self.logOut(failing: true, keychainFirst: false)).sentences
        == ["screen was forgotten at 0 s, and disk holds token: the next launch is logged in again"])
  }

  @Test func `a log-out that fails as a whole holds, and so does one that succeeds`() {
    #expect(invariant.judging(Self.logOut(failing: true, keychainFirst: true)).sentences == [])
    #expect(invariant.holds(Self.logOut(failing: false, keychainFirst: false)))
    #expect(invariant.holds(Self.logOut(failing: false, keychainFirst: true)))
  }
}
