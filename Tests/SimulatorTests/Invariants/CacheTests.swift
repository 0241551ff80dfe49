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

  /// A shelf with two places, of which each is asked for before something is fetched to fill it.
  private actor Shelf {
    private(set) var things: [Trace.Value]

    init(_ things: [Trace.Value]) {
      self.things = things
    }

    func add(_ thing: Trace.Value, looks: Bool = true) async {
      if looks, things.count == 2 { things.removeFirst() }
      await Task.yield()
      things.append(thing)
    }
  }

  private func diagnosis(of things: [Trace.Value], looks: Bool, adds: [Trace.Value]) -> Invariant.Diagnosis? {
    invariant.diagnosis { simulation in
      let shelf = Shelf(things)
      simulation.observe("screen") { .list(shelf.assumeIsolated { $0.things }) }
      await withDiscardingTaskGroup { group in
        for thing in adds { group.addTask { await shelf.add(thing, looks: looks) } }
      }
    }
  }

  @Test func `room that others have taken meanwhile is named, and as a check where room was made before`() {
    #expect(diagnosis(of: ["a"], looks: true, adds: ["b", "c"]) == .roomTaken)
    #expect(diagnosis(of: ["a", "b"], looks: true, adds: ["c", "d"]) == .checkThenAct)
    #expect(diagnosis(of: ["a", "b"], looks: false, adds: ["c"]) == nil)
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

  @Test func `a source that is put back to the version after one that was seen has lost an update`() {
    let copied = Invariant.versionNeverBack(on: "screen", "version", of: "shelf")
    #expect(copied.diagnosis(of: Self.copying(back: { $0 + 1 })) == .lostUpdate)
    // Put back to where it began: nobody's copy.
    #expect(copied.diagnosis(of: Self.copying(back: { _ in 1 }, from: 3)) != .lostUpdate)
  }

  private actor Counter {
    private(set) var version: Int

    init(_ version: Int) {
      self.version = version
    }

    func add(after time: Duration, _ change: (Int) -> Int) async throws {
      let copy = version
      try await Task.sleep(for: time)
      version = change(copy)
    }
  }

  /// A slow change of a copy, and two fast ones meanwhile.
  private static func copying(
    back change: @escaping @Sendable (Int) -> Int, from first: Int = 0
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let counter = Counter(first)
      simulation.observe("shelf") { version(counter.assumeIsolated { $0.version }) }
      let screen = Screen(simulation, version(first))
      async let slow: Void = counter.add(after: .seconds(5), change)
      for _ in 1...2 {
        try await counter.add(after: .seconds(1)) { $0 + 1 }
        await screen.show(version(await counter.version))
      }
      try await slow
      await screen.show(version(await counter.version))
    }
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
