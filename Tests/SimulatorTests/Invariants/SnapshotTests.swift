import Simulator
import Testing

@Suite struct SnapshotWasTrueTests {
  private let invariant = Invariant.snapshotWasTrue(on: "screen", of: "session")

  private static func state(_ name: String, _ unread: Int) -> Trace.Value {
    .record([.init("name", .text(name)), .init("unread", .int(unread))])
  }

  /// The session is one thing after the other, and then the screen shows `value`.
  private static func show(
    _ value: Trace.Value, after states: [Trace.Value]
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let session = Log<Trace.Value>()
      session.append(Self.state("nobody", 0))
      simulation.observe("session") { session.all.last ?? .none }
      let screen = Screen(simulation)
      for state in states {
        session.append(state)
        await Task.yield()
      }
      await screen.show(value)
    }
  }

  @Test func `what the session never was breaks it, and is torn when it had each part of it`() {
    let torn = Self.show(Self.state("Ada", 0), after: [Self.state("Ada", 3)])
    #expect(
      invariant.judging(torn).sentences
        == ["at 0 s screen shows name: Ada, unread: 0, and session has never been that"])
    #expect(invariant.diagnosis(of: torn) == .tornSnapshot)
  }

  @Test func `a value that was never held has no diagnosis`() {
    let invented = Self.show(Self.state("Bea", 7), after: [Self.state("Ada", 3)])
    #expect(invariant.isBroken(invented))
    #expect(invariant.diagnosis(of: invented) == nil)
  }

  @Test func `what the session is holds, and what it once was`() {
    let states = [Self.state("Ada", 3), Self.state("Bea", 1)]
    #expect(invariant.holds(Self.show(states[1], after: states)))
    #expect(invariant.holds(Self.show(states[0], after: states)))
  }

  @Test func `a screen that follows in the very step in which the session changes holds`() {
    let holds = invariant.holds { simulation in
      let both = Log<Trace.Value>()
      both.append(Self.state("nobody", 0))
      simulation.observe("screen") { both.all.last ?? .none }
      simulation.observe("session") { both.all.last ?? .none }
      both.append(Self.state("Ada", 3))
      await Task.yield()
    }
    #expect(holds)
  }

  @Test func `a screen that never changes is nothing to judge`() {
    #expect(!invariant.judging { _ in }.judged)
  }
}

@Suite struct SourceOfVersionsTests {
  private let invariant = Invariant.versionNeverBack(on: "screen", "version", of: "session")

  private static func version(_ version: Int) -> Trace.Value { .record([.init("version", .int(version))]) }

  /// The session comes to version 3, and then the screen shows `versions`.
  private static func show(_ versions: Int...) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let session = Log<Trace.Value>()
      simulation.observe("session") { session.all.last ?? .none }
      let screen = Screen(simulation)
      for number in [1, 3] {
        session.append(version(number))
        await Task.yield()
      }
      for number in versions { await screen.show(version(number)) }
    }
  }

  @Test func `a version that the source had before the one that was shown is stale`() {
    #expect(invariant.isBroken(Self.show(3, 1)))
    #expect(invariant.diagnosis(of: Self.show(3, 1)) == .staleOverNewer)
  }

  @Test func `a version that the source never had has no name`() {
    #expect(invariant.isBroken(Self.show(3, 2)))
    #expect(invariant.diagnosis(of: Self.show(3, 2)) == nil)
  }

  @Test func `the source's own versions are not judged`() {
    #expect(!invariant.judging(Self.show()).judged)
  }
}
