import Simulator
import Testing

@Suite struct `A store with an open transaction` {
  /// Changes `a` by `change` at 1 s, while a transaction is open that began at 0 s, has seen nothing in `a`, and keeps 1 there
  /// at 2 s. Answers with what is read at 1.5 s and at the end, and when the change was made.
  private func during(
    _ change: @escaping @Sendable (FakeStore) async throws -> Void
  ) -> (read: [Int?], execution: Simulation.Execution) {
    let read = Box<[Int?]>([])
    let execution = simulate { _ in
      let store = FakeStore()
      let open = Task {
        try await store.transaction { transaction in
          transaction.write((try transaction.read("a", as: Int.self) ?? 0) + 1, for: "a")
          try await Task.sleep(for: .seconds(2))
        }
      }
      let changing = Task {
        try await Task.sleep(for: .seconds(1))
        try await change(store)
      }
      try await Task.sleep(for: .milliseconds(1_500))
      read.value.append(try await store.read("a", as: Int.self))
      try await open.value
      try await changing.value
      read.value.append(try await store.read("a", as: Int.self))
    }
    return (read.value, execution)
  }

  @Test func `keeps a write waiting until it is committed`() {
    let (read, execution) = during { try await $0.write(5, for: "a") }
    #expect(read == [nil, 5])
    #expect(execution.violations.isEmpty)
  }

  @Test func `keeps changes that come at once waiting too`() {
    #expect(during { try await $0.transaction([.set("a", 6)]) }.read == [nil, 6])
  }

  @Test func `hands on in the order in which they came`() {
    let committed = Box<[String]>([])
    _ = simulate { _ in
      let store = FakeStore()
      await withTaskGroup { group in
        group.addTask { try? await store.transaction { _ in try await Task.sleep(for: .seconds(9)) } }
        for second in 1...3 {
          group.addTask {
            try? await Task.sleep(for: .seconds(second))
            if second == 2 {
              try? await store.transaction { $0.write(second, for: "a") }
            } else {
              try? await store.write(second, for: "a")
            }
            committed.value.append("\(second)")
          }
        }
      }
      committed.value.append("holds \(await store.value("a", as: Int.self) ?? 0)")
    }
    #expect(committed.value == ["1", "2", "3", "holds 3"])
  }

  @Test func `throws an error of the database's own, and changes nothing`() async {
    struct DiskFull: Error {}
    let full = [FakeBehavior(replies: [.failure(DiskFull(), named: "full")])]
    let store = FakeStore(["write": full, "transaction": full, "read": full])
    await #expect(throws: DiskFull.self) { try await store.write(1, for: "a") }
    await #expect(throws: DiskFull.self) { try await store.transaction([.set("a", 1)]) }
    await #expect(throws: DiskFull.self) { try await store.transaction { $0.write(1, for: "a") } }
    await #expect(throws: DiskFull.self) { try await store.read("a", as: Int.self) }
    #expect(await store.value("a", as: Int.self) == nil)
  }
}
