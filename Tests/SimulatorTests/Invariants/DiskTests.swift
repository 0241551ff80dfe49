import Simulator
import Testing

extension Simulation {
  /// Observes what `store` holds as `disk`.
  fileprivate func observeDisk(_ store: FakeStore) {
    let shown: @Sendable () -> Trace.Value = {
      store.assumeIsolated { .list($0.values(as: Int.self).map { .int($0) }) }
    }
    record(.changed(name: "disk", from: .none, to: outsideSteps(shown)))
    observe("disk", shown)
  }
}

@Suite struct AllOrNothingTests {
  private let invariant = Invariant.allOrNothing(on: "disk", of: .answers(to: "GET /list"))

  private static func save(
    _ fault: FakeFault, _ write: @escaping @Sendable (FakeStore, [FakeStore.Change]) async throws -> Void
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let behavior = [FakeBehavior(delay: .seconds(1), faults: [fault])]
      let store = FakeStore(["write": behavior, "transaction": behavior], holding: ["a": 1, "b": 1])
      simulation.observeDisk(store)
      let list = try await FakeNetwork().exchange("GET /list", showing: { .list($0.map { .int($0) }) }) { _ in
        [2, 2]
      }
      try? await write(store, [.set("a", list[0]), .set("b", list[1])])
    }
  }

  @Test func `a torn write breaks it`() {
    #expect(invariant.isBroken(Self.save(.torn) { try await $0.write($1) }))
  }

  @Test func `a transaction that fails holds`() {
    let holds = invariant.holds(Self.save(.beforeCommit) { try await $0.transaction($1) })
    #expect(holds)
  }

  @Test func `a write that is half-way through holds as long as it is under way`() {
    #expect(invariant.holds(Self.save(.noFault) { try await $0.write($1) }))
  }

  @Test func `what an observed value has been is whole too`() {
    let holds = Invariant.allOrNothing(on: "disk", of: .observed("screen")).holds { simulation in
      let screen = Screen(simulation)
      let store = FakeStore(holding: ["a": 1])
      simulation.observeDisk(store)
      await screen.show([2])
      try await store.write(2, for: "a")
    }
    #expect(holds)
  }
}

@Suite struct ScreenMatchesDiskTests {
  private let invariant = Invariant.screenMatchesDisk("screen", "disk", part: "items")

  private static func save(
    _ fault: FakeFault, isDismissed: Bool = false, followsDisk: Bool = false
  ) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let store = FakeStore(["write": [FakeBehavior(faults: [fault])]], holding: ["a": 1])
      simulation.observeDisk(store)
      let screen = Screen(simulation, .record([.init("items", [1])]))
      if !followsDisk { await screen.show(.record([.init("items", [2])])) }
      try? await store.write(2, for: "a")
      let held = try await store.read("a", as: Int.self)
      if followsDisk { await screen.show(.record([.init("items", .list([.int(held ?? 0)]))])) }
      if isDismissed { simulation.record(.dismissed(owner: "list")) }
    }
  }

  @Test func `a screen that is set before a write that fails breaks it`() {
    #expect(invariant.isBroken(Self.save(.beforeCommit)))
  }

  @Test func `nothing is judged where nothing has happened`() {
    let (sentences, _) = Invariant.screenMatchesDisk("screen", "disk").judging { simulation in
      _ = Screen(simulation)
      simulation.record(.changed(name: "screen", from: .none, to: "empty"))
      simulation.observeDisk(FakeStore(holding: ["a": 1]))
    }
    #expect(sentences == [])
  }

  /// The disk changes, and cannot be read; the screen shows `value`.
  private static func unreadable(showing value: Trace.Value) -> @Sendable (Simulation) async throws -> Void {
    { simulation in
      let store = FakeStore(["read": [FakeBehavior(faults: [.beforeCommit])]], holding: ["a": 1])
      simulation.observeDisk(store)
      let screen = Screen(simulation, [1])
      try await store.write(2, for: "a")
      _ = try? await store.read("a", as: Int.self)
      await screen.show(value)
    }
  }

  @Test func `a screen whose last read failed may show what was saved once, and nothing that never was`() {
    let invariant = Invariant.screenMatchesDisk("screen", "disk")
    #expect(invariant.judging(Self.unreadable(showing: [1])).sentences == [])
    #expect(invariant.isBroken(Self.unreadable(showing: [3])))
  }

  @Test func `a screen that follows the disk holds, even if the write reports a failure`() {
    #expect(invariant.holds(Self.save(.afterCommit, followsDisk: true)))
    #expect(invariant.judging(Self.save(.beforeCommit, followsDisk: true)).sentences.isEmpty)
  }

  @Test func `a screen that the user has left is not judged`() {
    let (sentences, judged) = invariant.judging(Self.save(.beforeCommit, isDismissed: true))
    #expect(sentences.isEmpty)
    #expect(!judged)
  }
}
