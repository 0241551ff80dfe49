import Simulator
import SimulatorStrategies
import Testing

@Suite struct `A transaction of a fake store` {
  private struct Refused: Error {}

  /// Adds one to what is kept.
  private static func increment(_ store: any FakeStore.TransactionalStore) async throws {
    try await store.transaction { transaction in
      let count = try transaction.read("count", as: Int.self) ?? 0
      await Task.yield()
      transaction.write(count + 1, for: "count")
    }
  }

  @Test func `is alone under every schedule`() {
    let report = explore(strategy: Strategies.ExhaustiveReduced()) { simulation in
      let store = FakeStore(writeDelay: .milliseconds(10))
      async let a: Void = Self.increment(store)
      async let b: Void = Self.increment(store)
      _ = try await (a, b)
      let count = await store.value("count", as: Int.self)
      if count != 2 { simulation.fail("nothing lost", "\(count ?? 0)") }
    }
    #expect(report.holds, "\(report)")
    #expect(report.coverage != nil)
  }

  @Test func `sees its own changes, and others only what is committed`() async throws {
    let store = FakeStore(holding: ["a": 1])
    let seen = try await store.transaction { transaction in
      transaction.write(2, for: "a")
      transaction.remove("b")
      return (try transaction.read("a", as: Int.self), await store.value("a", as: Int.self))
    }
    #expect(seen == (2, 1))
    #expect(await store.value("a", as: Int.self) == 2)
    #expect(store.received("transaction").once)
    #expect(store.calls.first?.effects == ["committed a, b"])
  }

  @Test func `changes nothing when its body throws`() async {
    let store = FakeStore(holding: ["a": 1])
    await #expect(throws: Refused.self) {
      try await store.transaction { transaction in
        transaction.write(2, for: "a")
        throw Refused()
      }
    }
    #expect(await store.value("a", as: Int.self) == 1)
    await #expect(throws: FakeStore.Mismatch.self) {
      try await store.transaction { _ = try $0.read("a", as: String.self) }
    }
    #expect(throws: Never.self) { try FakeStore.Transaction(on: [:]).read("a", as: String.self) }
  }

  @Test(arguments: [(FakeFault.beforeCommit, 1), (.torn, 1), (.afterCommit, 2)])
  func `may fail before the commit or after it`(fault: FakeFault, left: Int) async {
    let store = FakeStore(["transaction": [FakeBehavior(faults: [fault])]], holding: ["a": 1])
    await #expect(throws: InjectedFault.self) {
      try await store.transaction { $0.write(2, for: "a") }
    }
    #expect(await store.value("a", as: Int.self) == left)
  }

  @Test func `leaves the store to the next one, however it ends`() {
    let execution = simulate { _ in
      let store = FakeStore(writeDelay: .seconds(1))
      let first = Task { try await Self.increment(store) }
      let second = Task { try await Self.increment(store) }
      try await Task.sleep(for: .milliseconds(500))
      first.cancel()
      _ = await first.result
      try await second.value
      guard await store.value("count", as: Int.self) == 1 else { throw Refused() }
    }
    #expect(execution.violations.isEmpty, "\(execution.violations)")
    #expect(execution.ending == .finished)
  }

  @Test func `inside another one waits for ever`() {
    let report = explore { _ in
      let store = FakeStore()
      try await store.transaction { _ in try await Self.increment(store) }
    }
    #expect(report.violations.map(\.invariant) == ["deadlock"])
  }
}
