import Simulator
import Testing

@Suite struct ActionsInOrderTests {
  private let invariant = Invariant.actionsInOrder("field", on: "screen", "query")

  private static func query(_ text: String) -> Trace.Value { .record([.init("query", .text(text))]) }

  /// Types `texts`, after which the screen shows `shown`.
  private static func type(
    _ texts: String..., showing shown: String...
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation, query(""))
      for text in texts { simulation.record(.changed(name: "field", from: .none, to: .text(text))) }
      for text in shown { await screen.show(query(text)) }
    }
  }

  @Test func `going back to what was sent before breaks it, and the sentence says from where to where`() {
    let (sentences, judged) = invariant.judging(Self.type("s", "su", showing: "su", "s"))
    #expect(sentences == ["screen showed su and went back to s, which was sent before it"])
    #expect(judged)
  }

  @Test func `a task for each action breaks it in some schedule`() {
    let report = explore("a task for each action", schedules: 100) { simulation in
      simulation.require(self.invariant)
      let screen = Screen(simulation, Self.query(""))
      for text in ["s", "su"] {
        simulation.record(.changed(name: "field", from: .none, to: .text(text)))
        Task { await screen.show(Self.query(text)) }
      }
    }
    #expect(report.violations.first?.invariant == "actions-in-order")
    #expect(report.violations.first?.diagnosis == .outOfOrder)
  }

  @Test func `one after the other holds, and so does leaving one out`() {
    #expect(invariant.holds(Self.type("s", "su", "sur", showing: "s", "su", "sur")))
    #expect(invariant.holds(Self.type("s", "su", "sur", showing: "s", "sur")))
  }

  @Test func `what is sent again counts from then on`() {
    #expect(invariant.holds(Self.type("s", "su", "s", showing: "su", "s")))
  }

  @Test func `a value that was never sent is not judged`() {
    #expect(invariant.holds(Self.type("s", "su", showing: "s", "su", "nothing found")))
    #expect(!invariant.judging(Self.type("s", showing: "s", "nothing found")).judged)
  }
}

@Suite struct ResponsiveWithinTests {
  private let invariant = Invariant.responsive(
    to: "type", on: "screen", "query", within: .milliseconds(100))

  private static func shown(_ query: String, list: String = "") -> Trace.Value {
    .record([.init("query", .text(query)), .init("list", .text(list))])
  }

  @Test func `an action that waits for a slow reply breaks it, and the sentence says how long`() {
    let (sentences, judged) = invariant.judging { simulation in
      let screen = Screen(simulation, Self.shown(""))
      await simulation.act("type") {
        try await FakeNetwork(delay: .seconds(3)).exchange("GET /list") { _ in }
        screen.show(Self.shown("s"))
      }.value
    }
    #expect(sentences == ["type began at 0 s, and 3 s later (3 s) screen did not show it, not within 100 ms"])
    #expect(judged)
  }

  @Test func `a change of another part does not show it`() {
    let broken = invariant.isBroken { simulation in
      let screen = Screen(simulation, Self.shown(""))
      await simulation.act("type") {
        screen.show(Self.shown("", list: "old"))
        try await Task.sleep(for: .seconds(1))
      }.value
    }
    #expect(broken)
  }

  @Test func `shown at once and searched afterwards holds`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation, Self.shown(""))
      await simulation.act("type") {
        screen.show(Self.shown("s"))
        try await FakeNetwork(delay: .seconds(3)).exchange("GET /list") { _ in }
      }.value
    }
    #expect(holds)
  }

  @Test func `exactly at the bound is in time`() {
    let holds = invariant.holds { simulation in
      let screen = Screen(simulation, Self.shown(""))
      await simulation.act("type") {
        try await Task.sleep(for: .milliseconds(100))
        screen.show(Self.shown("s"))
      }.value
      try await Task.sleep(for: .seconds(1))
    }
    #expect(holds)
  }

  @Test func `who has left is owed nothing`() {
    let holds = invariant.holds { simulation in
      _ = Screen(simulation, Self.shown(""))
      await simulation.act("type") {}.value
      simulation.record(.dismissed(owner: "search"))
      await simulation.act("type") {}.value
      try await Task.sleep(for: .seconds(1))
    }
    #expect(holds)
  }

  @Test func `without that action there is nothing to judge`() {
    let (_, judged) = invariant.judging { simulation in
      let screen = Screen(simulation, Self.shown(""))
      await simulation.act("scroll") { screen.show(Self.shown("s")) }.value
    }
    #expect(!judged)
  }
}

@Suite struct FreedTests {
  private let invariant = Invariant.freed("loader")

  private final class Loader: Sendable {
    func work(for duration: Duration) async throws {
      try await Task.sleep(for: duration)
      withExtendedLifetime(self) {}
    }
  }

  /// Leaves a loader that `keep` may keep alive.
  private static func leave(
    keeping keep: @escaping @Sendable (Loader) -> Void = { _ in }
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      simulation.record(.changed(name: "loader", from: .none, to: "alive"))
      var loader: Loader? = Loader()
      simulation.observe("loader") { [weak loader] in loader == nil ? .none : "alive" }
      try await Task.sleep(for: .seconds(1))
      loader.map(keep)
      loader = nil
      simulation.record(.dismissed(owner: "screen"))
      try await Task.sleep(for: .seconds(1))
    }
  }

  @Test func `an object that its own task retains breaks it, and the sentence says which`() {
    let (sentences, judged) = invariant.judging(
      Self.leave { loader in
        Task {
          unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          try await loader.work(for: .seconds(1))
        }
      })
    #expect(sentences == ["the user left at 1 s, and at 2 s loader is still alive"])
    #expect(judged)
  }

  @Test func `an object that is not retained holds`() {
    #expect(invariant.holds(Self.leave()))
  }

  @Test func `an object that is freed only after its last work holds`() {
    let holds = invariant.holds(
      Self.leave { loader in
        Task { try await loader.work(for: .milliseconds(500)) }
      })
    #expect(holds)
  }

  @Test func `before the user leaves there is nothing to judge`() {
    let (sentences, judged) = invariant.judging { simulation in
      simulation.record(.changed(name: "loader", from: .none, to: "alive"))
    }
    #expect(sentences == [])
    #expect(!judged)
  }
}
