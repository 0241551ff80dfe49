import Simulator
import Testing

@Suite struct LegalTransitionsTests {
  private let invariant = Invariant.legalTransitions(
    on: "screen", allowing: ["out": ["going in"], "going in": ["in", "out"], "in": ["out"]],
    passing: ["going in"])

  private static func show(
    _ states: Trace.Value..., after first: Trace.Value = "out"
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let shown = Log<Trace.Value>()
      shown.append(first)
      simulation.observe("screen") { shown.all.last ?? .none }
      for state in states {
        shown.append(state)
        await Task.yield()
      }
    }
  }

  @Test func `a state that may not follow breaks it`() {
    let (sentences, _) = invariant.judging(Self.show("in"))
    #expect(sentences == ["at 0 s screen went from out to in; only going in may follow"])
    #expect(invariant.diagnosis(of: Self.show("in")) == nil)
  }

  @Test func `one that could have followed a state already left is too late`() {
    let late = Self.show("going in", "out", "in")
    #expect(invariant.isBroken(late))
    #expect(invariant.diagnosis(of: late) == .leftState)
  }

  @Test func `a state that is only passed through and stays breaks it`() {
    let (sentences, _) = invariant.judging(Self.show("going in"))
    #expect(sentences == ["at rest screen is going in, which is only to be passed through"])
    #expect(invariant.diagnosis(of: Self.show("going in")) == .leftHalfWay)
  }

  @Test func `while something is under way it may still be passed through`() {
    let (sentences, _) = invariant.judging(until: .seconds(1)) { simulation in
      try await Self.show("going in")(simulation)
      _ = simulation.act("sign in") { try await Task.sleep(for: .seconds(3_600)) }
    }
    #expect(sentences == [])
  }

  @Test func `states that may follow hold, and so does one that stays`() {
    #expect(invariant.holds(Self.show("going in", "going in", "in", "out")))
  }

  @Test func `a part of a record is enough to tell the state`() {
    let invariant = Invariant.legalTransitions(on: "screen", "phase", allowing: ["a": ["b"]])
    let shown: @Sendable (String, Int) -> Trace.Value = { phase, count in
      .record([.init("phase", .text(phase)), .init("count", .int(count))])
    }
    #expect(invariant.holds(Self.show(shown("a", 2), shown("b", 2), after: shown("a", 1))))
    #expect(invariant.isBroken(Self.show(shown("a", 1), after: shown("b", 1))))
  }

  @Test func `a state that never changes is nothing to judge`() {
    #expect(!invariant.judging(Self.show("out")).judged)
  }
}

@Suite struct ProgressNeverBackTests {
  private let invariant = Invariant.progressNeverBack(on: "screen", of: "GET /file")

  /// Three parts come, each a second after the other, and then the screen shows `values`.
  private static func show(_ values: Trace.Value...) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let screen = Screen(simulation, 0)
      let network = FakeNetwork(delay: .seconds(1))
      for part in 1...3 { _ = try await network.exchange("GET /file", showing: { .int($0) }) { _ in part } }
      for value in values { await screen.show(value) }
    }
  }

  @Test func `progress that goes back breaks it, and is out of order when it came in order`() {
    let back = Self.show(1, 3, 2)
    #expect(invariant.judging(back).sentences == ["at 3 s screen showed 3 and went back to 2"])
    #expect(invariant.diagnosis(of: back) == .outOfOrder)
  }

  @Test func `starting over breaks it and is no race`() {
    #expect(invariant.isBroken(Self.show(2, 0)))
    #expect(invariant.diagnosis(of: Self.show(2, 0)) == nil)
  }

  @Test func `progress that grows, by leaps too, holds`() {
    #expect(invariant.holds(Self.show(1, 3)))
  }

  @Test func `after what is no number it begins anew`() {
    #expect(invariant.holds(Self.show(3, "cancelled", 0, 1)))
  }

  @Test func `progress that is shown once is nothing to judge`() {
    #expect(!invariant.judging(Self.show("idle", 3)).judged)
  }
}
