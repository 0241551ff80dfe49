import Simulator
import Testing

/// Shows one value after the other.
private func show(_ values: Trace.Value...) -> @Sendable (Simulation) async throws -> Void {
  { simulation in
    let screen = Screen(simulation)
    for value in values { await screen.show(value) }
  }
}

@Suite struct WithinCapacityTests {
  private let invariant = Invariant.withinCapacity(2, of: "screen")

  @Test func `one too many breaks it`() {
    let (sentences, judged) = invariant.judging(show(["a", "b"], ["a", "b", "c"], ["b", "c"]))
    #expect(sentences == ["screen has room for 2 and holds 3: [a, b, c]"])
    #expect(judged)
  }

  @Test func `a full cache holds`() {
    #expect(invariant.holds(show(["a"], ["a", "b"], ["b", "c"])))
  }

  @Test func `a part of a record is counted, and a number is a count`() {
    let part = Invariant.withinCapacity(2, of: "screen", "count")
    #expect(part.isBroken(show(.record([.init("count", 3)]))))
    #expect(part.holds(show(.record([.init("count", 2)]))))
  }

  @Test func `without anything that can be counted there is nothing to judge`() {
    #expect(!invariant.judging(show("loading")).judged)
  }
}

@Suite struct VersionNeverBackTests {
  private let invariant = Invariant.versionNeverBack(on: "screen", "version")

  private static func version(_ version: Int, _ content: Trace.Value = "") -> Trace.Value {
    .record([.init("version", .int(version)), .init("content", content)])
  }

  @Test func `a lower version breaks it`() {
    let (sentences, judged) = invariant.judging(
      show(Self.version(1), Self.version(3), Self.version(2), Self.version(4)))
    #expect(sentences == ["screen had come to version 3 and went back to 2"])
    #expect(judged)
  }

  @Test func `going back by way of something without a version breaks it too`() {
    #expect(invariant.isBroken(show(Self.version(3), "loading", Self.version(2))))
  }

  @Test func `the same version and a higher one hold`() {
    #expect(invariant.holds(show(Self.version(1, "a"), Self.version(1, "b"), Self.version(3))))
  }

  @Test func `a single version is nothing to judge`() {
    #expect(!invariant.judging(show(Self.version(1))).judged)
  }
}
