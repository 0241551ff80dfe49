/// What a database does: SQLite through GRDB, and `FakeStore`.
public enum StoreFacts {
  public static let all: [(StoreCondition, Fact<any StoreSubject>)] =
    (transactions + cancels).map { (.usual, $0) } + locked.map { (.locked, $0) } + full.map { (.full, $0) }

  private static let transactions: [Fact<any StoreSubject>] = [
    Fact("A transaction sees its own changes, and they are kept when it returns", ["saw 2, holds 2"]) {
      store in
      let seen = try await store.write { rows in
        try rows.set("a", 2)
        return try rows.value(of: "a")
      }
      return "saw \(seen ?? 0), holds \(try await store.held())"
    },
    Fact("A transaction that throws changes nothing", ["threw Refused, holds 1"]) { store in
      try await store.set("a", 1)
      let outcome = await outcome {
        try await store.write { rows in
          try rows.set("a", 2)
          throw Refused()
        }
      }
      return "\(outcome), holds \(try await store.held())"
    },
    Fact("A reader neither waits for an open transaction nor sees its changes", ["read 1, then 2"]) { store in
      try await store.set("a", 1)
      let gate = Gate()
      let writing = Task { try await store.set("a", 2, until: gate) }
      try await gate.reached()
      let during = try await store.held()
      gate.open()
      try await writing.value
      return "read \(during), then \(try await store.held())"
    },
    Fact("Transactions run one at a time, in the order in which they were asked for", ["ran 1 2 3"]) {
      store in
      let gate = Gate()
      let order = Order()
      let first = Task { try await store.write(until: gate) { _ in order.append(1) } }
      try await gate.reached()
      let others = try await (2...3).mapInTurn { number in
        let task = Task { try await store.write { _ in order.append(number) } }
        try await Task.sleep(for: .milliseconds(50))
        return task
      }
      gate.open()
      for task in [first] + others { try await task.value }
      return "ran \(order.all)"
    },
    Fact("A single write waits for the transaction that is open", ["read nothing, then 2"]) { store in
      let gate = Gate()
      let first = Task { try await store.set("a", 1, until: gate) }
      try await gate.reached()
      let second = Task { try await store.put("a", 2) }
      try await Task.sleep(for: .milliseconds(100))
      let during = try await store.held()
      gate.open()
      try await first.value
      try await second.value
      return "read \(during), then \(try await store.held())"
    },
    Fact("What is read and then written in one transaction is not lost", ["holds 8"]) { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...8 {
          group.addTask { try await store.write { try $0.set("a", ($0.value(of: "a") ?? 0) + 1) } }
        }
        try await group.waitForAll()
      }
      return "holds \(try await store.held())"
    },
  ]

  private static let cancels: [Fact<any StoreSubject>] = [
    Fact(
      "A write of a task that was cancelled before does not begin", ["threw CancellationError, holds nothing"]
    ) {
      store in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await store.set("a", 1)
      }
      return "\(await outcome(of: task)), holds \(try await store.held())"
    },
    Fact(
      "A write that is cancelled while it waits in the queue does not begin",
      ["threw CancellationError, holds 1"]
    ) { store in
      let gate = Gate()
      let first = Task { try await store.set("a", 1, until: gate) }
      try await gate.reached()
      let second = Task { try await store.set("a", 2) }
      try await Task.sleep(for: .milliseconds(100))
      second.cancel()
      gate.open()
      try await first.value
      return "\(await outcome(of: second)), holds \(try await store.held())"
    },
    Fact(
      "A write that is cancelled while it waits in the queue learns it only when its turn comes",
      ["still waited"]
    ) {
      store in
      let (gate, isOver) = (Gate(), Flag(false))
      let first = Task { try await store.set("a", 1, until: gate) }
      try await gate.reached()
      let second = Task {
        defer { isOver.set(true) }
        try await store.set("a", 2)
      }
      try await Task.sleep(for: .milliseconds(100))
      second.cancel()
      try await Task.sleep(for: .milliseconds(200))
      let answer = isOver.value ? "had ended" : "still waited"
      gate.open()
      try await first.value
      _ = await second.result
      return answer
    },
    Fact("A write that is cancelled while its body runs is rolled back", ["threw CancellationError, holds 1"])
    { store in
      try await store.set("a", 1)
      let gate = Gate()
      let writing = Task { try await store.set("a", 2, until: gate) }
      try await gate.reached()
      writing.cancel()
      gate.open()
      return "\(await outcome(of: writing)), holds \(try await store.held())"
    },
    Fact("A cancel that comes when the write is committed changes nothing", ["returned (), holds 1"]) {
      store in
      let writing = Task {
        try await store.set("a", 1)
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return "\(await outcome(of: writing)), holds \(try await store.held())"
    },
    Fact("After a write that was cancelled the next one goes on", ["holds 3"]) { store in
      let gate = Gate()
      let writing = Task { try await store.set("a", 2, until: gate) }
      try await gate.reached()
      writing.cancel()
      gate.open()
      _ = await writing.result
      try await store.set("a", 3)
      return "holds \(try await store.held())"
    },
  ]

  private static let locked: [Fact<any StoreSubject>] = [
    Fact("A write on a locked database is refused, and reads go on", ["threw SQLITE_BUSY, holds nothing"]) {
      store in
      let outcome = await outcome { try await store.set("a", 1) }
      return "\(outcome), holds \(try await store.held())"
    },
    Fact(
      "A write on a locked database is refused before its body runs", ["the body did not run"],
      fake: ["the body ran"],
      because:
        "a reply that is an error stands for what a commit throws; the store has no second one for the begin"
    ) { store in
      let ran = Flag(false)
      _ = await outcome { try await store.write { _ in ran.set(true) } }
      return ran.value ? "the body ran" : "the body did not run"
    },
  ]

  private static let full: [Fact<any StoreSubject>] = [
    Fact("A write that finds the disk full leaves nothing behind", ["threw SQLITE_FULL, holds nothing"]) {
      store in
      let outcome = await outcome {
        try await store.write { rows in for number in 0..<5_000 { try rows.set("row \(number)", number) } }
      }
      return "\(outcome), holds \(try await store.held("row 0"))"
    }
  ]

  /// What all facts come to, one after the other.
  public static func findings() async throws -> [Finding] {
    var findings: [Finding] = []
    for (condition, fact) in all { findings.append(try await finding(fact, under: condition)) }
    return findings
  }

  /// What one fact comes to with SQLite, and with the fake under many schedules.
  public static func finding(
    _ fact: Fact<any StoreSubject>, under condition: StoreCondition
  ) async throws -> Finding {
    let store = try RealStore(condition)
    let real = await fact.outcome(with: store)
    try store.close()
    let fake = everyOutcome { _ in await fact.outcome(with: SimulatedStore(condition)) }
    return Finding(fact, real: real, fake: fake)
  }
}
