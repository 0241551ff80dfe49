import Simulator
import Testing

@Suite struct ReadWithinTests {
  private let invariant = Invariant.readWithin(.milliseconds(100), "lookup")

  private static func look(
    up name: String = "lookup", taking time: Duration, cancelsAt moment: Duration? = nil
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      try await Task.sleep(for: .seconds(1))
      let action = simulation.act(name) { try await Task.sleep(for: time) }
      if let moment {
        try await Task.sleep(for: moment)
        simulation.record(.cancelled(Trace.Action(label: name, name: name)))
      }
      await action.value
    }
  }

  @Test func `an answer that comes after the bound breaks it`() {
    let (sentences, _) = invariant.judging(Self.look(taking: .milliseconds(101)))
    #expect(sentences == ["lookup asked at 1 s and had its answer 101 ms later (1.101 s), not within 100 ms"])
  }

  @Test func `an answer that never comes breaks it`() {
    let (sentences, _) = invariant.judging(until: .seconds(10), Self.look(taking: .seconds(3_600)))
    #expect(sentences == ["lookup asked at 1 s and has no answer 9 s later (10 s), not within 100 ms"])
  }

  @Test func `a task that waits for a closed actor is named`() {
    let report = explore(schedules: 1) { [invariant] simulation in
      simulation.require(invariant)
      let owner = Owner()
      let update = Task { await owner.decode() }
      try await Task.sleep(for: .milliseconds(100))
      await simulation.act("lookup") { await owner.find() }.value
      await update.value
    }
    #expect(report.violations.map(\.diagnosis) == [.closedTooLong])
  }

  @Test func `who waits for something else while an actor is closed is not`() {
    let report = explore(schedules: 1) { [invariant] simulation in
      simulation.require(invariant)
      let owner = Owner()
      let update = Task { await owner.decode() }
      await simulation.act("lookup") { try await Task.sleep(for: .seconds(1)) }.value
      await update.value
    }
    #expect(report.violations.map(\.diagnosis) == [.answeredTooLate])
  }

  private actor Owner {
    func decode() async { await Simulation.spend(.milliseconds(300)) }
    func find() {}
  }

  @Test func `an answer at the bound holds`() {
    #expect(invariant.holds(Self.look(taking: .milliseconds(100))))
  }

  @Test func `who was cancelled is owed nothing`() {
    #expect(invariant.holds(Self.look(taking: .seconds(5), cancelsAt: .milliseconds(50))))
  }

  @Test func `other actions are not judged`() {
    let (sentences, judged) = invariant.judging(Self.look(up: "update", taking: .seconds(5)))
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}

@Suite struct MainActorResponsiveTests {
  private let invariant = Invariant.mainActorResponsive(within: .milliseconds(16))

  private static func onMain(
    _ body: @escaping @MainActor () async throws -> Void
  ) -> @Sendable (Simulation) async throws -> Void {
    { _ in try await Task { @MainActor in try await body() }.value }
  }

  @Test func `heavy work on the main actor breaks it`() {
    let (sentences, _) = invariant.judging(Self.onMain { await Simulation.spend(.milliseconds(300)) })
    #expect(sentences == ["from 0 s on the main actor was closed for 300 ms, longer than 16 ms"])
  }

  @Test func `work of one frame holds`() {
    #expect(invariant.holds(Self.onMain { await Simulation.spend(.milliseconds(16)) }))
  }

  @Test func `work in pieces that does not let go in between counts as one`() {
    let (sentences, _) = invariant.judging(
      Self.onMain { for _ in 1...3 { await Simulation.spend(.milliseconds(10)) } })
    #expect(sentences == ["from 0 s on the main actor was closed for 20 ms, longer than 16 ms"])
  }

  @Test func `work in pieces with a pause in between holds`() {
    let holds = invariant.holds(
      Self.onMain {
        for _ in 1...3 {
          await Simulation.spend(.milliseconds(10))
          await Task.yield()
        }
      })
    #expect(holds)
  }

  @Test func `what two tasks do one after the other is not one piece`() {
    let holds = invariant.holds { _ in
      async let first: Void = Task { @MainActor in await Simulation.spend(.milliseconds(10)) }.value
      async let second: Void = Task { @MainActor in await Simulation.spend(.milliseconds(10)) }.value
      _ = await (first, second)
    }
    #expect(holds)
  }

  @Test func `heavy work on another actor, or on none, holds`() {
    actor Decoder { func decode() async { await Simulation.spend(.milliseconds(300)) } }
    let holds = invariant.holds { _ in
      await Decoder().decode()
      await Simulation.spend(.milliseconds(300))
    }
    #expect(holds)
  }

  @Test func `without work that takes time there is nothing to judge`() {
    #expect(!invariant.judging(Self.onMain { try await Task.sleep(for: .seconds(1)) }).judged)
  }
}
