import Simulator
import Testing

@Suite struct FakeStoreTests {
  private static let batch: [FakeStore.Change] = [.set("a", 2), .set("b", 2), .set("c", 2)]
  private static let old: [String: any Sendable] = ["a": 1, "b": 1, "c": 1]

  /// What a store that held 1, 1, 1 holds after `body`.
  private func held(
    _ behavior: FakeBehavior, _ schedule: Schedule = .natural,
    _ body: @escaping @Sendable (FakeStore) async throws -> Void
  ) -> (values: [Int], execution: Simulation.Execution) {
    let values = Box<[Int]>([])
    let execution = simulate(schedule) { simulation in
      let store = FakeStore(["write": [behavior], "transaction": [behavior]], holding: Self.old)
      try? await body(store)
      values.value = await store.values(as: Int.self)
    }
    return (values.value, execution)
  }

  @Test func `a write takes the write delay and a read the read delay`() {
    let found = Box<String?>(nil)
    let execution = simulate { _ in
      let store = FakeStore(readDelay: .milliseconds(500), writeDelay: .seconds(1))
      try await store.write("draft", for: "letter")
      found.value = try await store.read("letter", as: String.self)
    }
    #expect(found.value == "draft")
    #expect(execution.endTime.nanoseconds == 1_500_000_000)
  }

  @Test func `FakeStore(writeDelay:) reads as written`() {
    let execution = simulate { _ in try await FakeStore(writeDelay: .seconds(1)).write(1, for: "a") }
    #expect(execution.endTime.nanoseconds == 1_000_000_000)
  }

  @Test func `before the commit nothing is written`() {
    let (values, execution) = held(FakeBehavior(faults: [.beforeCommit])) { try await $0.write(Self.batch) }
    #expect(values == [1, 1, 1])
    #expect(execution.outcomes == [.threw("store failed to write")])
  }

  @Test func `after the commit everything is written, and the write throws all the same`() {
    let (values, execution) = held(FakeBehavior(faults: [.afterCommit])) { try await $0.write(Self.batch) }
    #expect(values == [2, 2, 2])
    #expect(execution.outcomes == [.threw("store failed to write")])
  }

  @Test(arguments: [(Schedule.natural, [2, 1, 1]), (.only(0, 1, of: 2), [2, 2, 1])])
  func `a torn write leaves a prefix, and which one is a choice`(schedule: Schedule, values: [Int]) {
    let torn = held(FakeBehavior(faults: [.torn]), schedule) { try await $0.write(Self.batch) }
    #expect(torn.values == values)
    #expect(torn.execution.choices.map(\.kind) == [.fault])
  }

  @Test func `a transaction is not torn`() {
    let (values, execution) = held(FakeBehavior(faults: [.torn])) { try await $0.transaction(Self.batch) }
    #expect(values == [1, 1, 1])
    #expect(execution.outcomes == [.threw("store failed to transaction")])
  }

  @Test func `a transaction that fails after the commit is written`() {
    let (values, _) = held(FakeBehavior(faults: [.afterCommit])) { try await $0.transaction(Self.batch) }
    #expect(values == [2, 2, 2])
  }

  @Test func `faults are a choice on the tape`() {
    let behavior = FakeBehavior(faults: [.noFault, .beforeCommit])
    let calm = held(behavior) { try await $0.write(Self.batch) }
    let struck = held(behavior, .only(0, 1, of: 2)) { try await $0.write(Self.batch) }
    #expect(calm.execution.choices.map(\.kind) == [.fault])
    #expect(calm.values == [2, 2, 2])
    #expect(struck.values == [1, 1, 1])
  }

  @Test func `a batch that is cancelled half-way leaves what had its turn`() {
    let (values, execution) = held(FakeBehavior(delay: .seconds(3))) { store in
      let task = Task { try await store.write(Self.batch) }
      try await Task.sleep(for: .milliseconds(1_500))
      task.cancel()
      _ = await task.result
    }
    #expect(values == [2, 1, 1])
    #expect(execution.outcomes == [.cancelled])
  }

  @Test func `a transaction that is cancelled half-way writes nothing`() {
    let (values, execution) = held(FakeBehavior(delay: .seconds(3))) { store in
      let task = Task { try await store.transaction(Self.batch) }
      try await Task.sleep(for: .milliseconds(1_500))
      task.cancel()
      _ = await task.result
    }
    #expect(values == [1, 1, 1])
    #expect(execution.outcomes == [.cancelled])
  }

  @Test func `a transaction that ignores cancellation is written`() {
    let (values, execution) = held(FakeBehavior(delay: .seconds(3), ignoresCancellation: [true])) { store in
      let task = Task { try await store.transaction(Self.batch) }
      try await Task.sleep(for: .milliseconds(1_500))
      task.cancel()
      _ = await task.result
    }
    #expect(values == [2, 2, 2])
    #expect(execution.outcomes == [.returned(.none)])
    #expect(execution.honored == [false])
  }

  @Test func `every write is on record with whether its requester still wanted it`() {
    let writes = Box<[CallRecord]>([])
    _ = simulate { _ in
      let store = FakeStore(["write": [FakeBehavior(delay: .seconds(1), ignoresCancellation: [true])]])
      let task = Task {
        try await store.write(1, for: "a")
        try await store.write(1, for: "b")
        try await store.write(1, for: "c")
      }
      try await Task.sleep(for: .milliseconds(1_500))
      task.cancel()
      _ = await task.result
      writes.value = store.writes
    }
    #expect(writes.value.map(\.call.detail) == ["a", "b", "c"])
    #expect(writes.value.map(\.requesterWasCancelledAtBegin) == [false, false, true])
    #expect(writes.value.map(\.requesterWasCancelledAtEnd) == [false, true, true])
    #expect(writes.value.map(\.effects) == [["wrote a"], ["wrote b"], ["wrote c"]])
  }

  @Test func `what a write removes is not said to be written`() {
    let writes = Box<[CallRecord]>([])
    _ = simulate { _ in
      let store = FakeStore()
      try await store.write([.set("a", 1), .remove("b")])
      writes.value = store.writes
    }
    #expect(writes.value.map(\.effects) == [["wrote a", "removed b"]])
  }

  @Test func `between the commit and its requester's next step others can read`() {
    let report = explore(schedules: 200) { simulation in
      let store = FakeStore(writeDelay: .seconds(1))
      let hasReturned = Box(false)
      async let write: Void = {
        try await store.write("new", for: "letter")
        hasReturned.value = true
      }()
      async let read: Void = {
        try await Task.sleep(for: .seconds(1))
        let found = try await store.read("letter", as: String.self)
        if found == "new", !hasReturned.value { simulation.fail("seen-early", "the commit was seen first") }
      }()
      _ = try await (write, read)
    }
    #expect(report.violations.map(\.invariant) == ["seen-early"])
  }

  @Test func `reading another type than was written is an error`() {
    let execution = simulate { _ in
      let store = FakeStore(holding: ["a": 1])
      _ = try? await store.read("a", as: String.self)
    }
    #expect(execution.outcomes == [.threw("a is a Int, not a String")])
  }

  @Test func `everything of one type is read at once`() {
    let found = Box<[String: Int]>([:])
    _ = simulate { _ in
      found.value = try await FakeStore(holding: ["a": 1, "b": "text", "c": 3]).readAll(as: Int.self)
    }
    #expect(found.value == ["a": 1, "c": 3])
  }

  @Test func `what is removed is gone`() {
    let found = Box<[String: Int]>([:])
    _ = simulate { _ in
      let store = FakeStore(holding: ["a": 1, "b": 2])
      try await store.transaction([.remove("a")])
      found.value = try await store.readAll(as: Int.self)
    }
    #expect(found.value == ["b": 2])
  }

  @Test func `outside a simulation it takes the natural choice and real time passes`() async throws {
    let store = FakeStore(["write": [FakeBehavior(delay: .milliseconds(30), faults: [.noFault, .torn])]])
    let begin = ContinuousClock.now
    try await store.write(Self.batch)
    #expect(begin.duration(to: .now) >= .milliseconds(30))
    #expect(await store.values(as: Int.self) == [2, 2, 2])
  }

  @Test func `outside a simulation a cancelled transaction writes nothing`() async throws {
    let store = FakeStore(writeDelay: .seconds(600), holding: Self.old)
    let task = Task { try await store.transaction(Self.batch) }
    while store.calls.isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await store.values(as: Int.self) == [1, 1, 1])
  }
}
