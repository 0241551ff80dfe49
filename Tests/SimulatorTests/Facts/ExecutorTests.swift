import Dispatch
import Simulator
import Synchronization
import Testing

/// Executors of the user's own, serial and concurrent.
@Suite struct `Executors of the user` {
  /// Counts what reaches it, which inside a simulation must be nothing.
  final class OwnExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "own")
    let enqueued = Atomic<Int>(0)
    func enqueue(_ job: consuming ExecutorJob) {
      enqueued.wrappingAdd(1, ordering: .relaxed)
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  actor Bank {
    let executor: OwnExecutor
    var balance = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe executor.asUnownedSerialExecutor()
    }
    init(_ executor: OwnExecutor) { self.executor = executor }
    func readInGroup() async -> Int {
      balance += await withTaskGroup(of: Int.self) { group in
        group.addTask { 1 }
        return await group.reduce(0, +)
      }
      return balance
    }
    func read() -> Int { balance }
    func write(_ value: Int) { balance = value }

    /// Comes back to this executor out of everything that the library does on its own.
    func everything() async throws {
      try await Task.sleep(for: .seconds(1))
      balance += 1
      await Task.yield()
      balance += 1
      await withCheckedContinuation { continuation in Task { continuation.resume() } }
      balance += 1
      for await number in AsyncStream(unfolding: { [count = Log<Int>()] in
        count.append(1)
        return count.all.count < 3 ? 1 : nil
      }) { balance += number }
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      Task {
        continuation.yield(1)
        continuation.finish()
      }
      for await number in stream { balance += number }
      balance += await Task { 1 }.value
      async let child = 1
      balance += await child
      await MainActor.run {}
      balance += 1
    }
  }

  @Test func `a serial executor of the user's is a domain and is never asked to run anything`() {
    let executor = OwnExecutor()
    let seen = outcomes { _ in
      let bank = Bank(executor)
      async let first: Void = bank.write(bank.read() + 1)
      async let second: Void = bank.write(bank.read() + 1)
      _ = await (first, second)
      return await bank.read()
    }
    #expect(seen == [1, 2])
    #expect(executor.enqueued.load(ordering: .relaxed) == 0)
  }

  @Test func `the library comes back to it from sleeps, streams, tasks and continuations`() {
    let executor = OwnExecutor()
    let seen = outcomes { _ in
      let bank = Bank(executor)
      try await bank.everything()
      return await bank.read()
    }
    #expect(seen == [9])
    #expect(executor.enqueued.load(ordering: .relaxed) == 0)
  }

  /// A group's end, in debug builds, goes out to the pool and back inside the library.
  @Test func `what the library sends to it nevertheless is an escape`() {
    let executor = OwnExecutor()
    let report = exhaust(schedules: 3) { _ in _ = await Bank(executor).readInGroup() }
    let hasEscaped = executor.enqueued.load(ordering: .relaxed) > 0
    #expect(report.violations.map(\.invariant) == (hasEscaped ? [Invariant.BuiltIn.escape] : []))
  }

  @Test func `two actors on one executor are one domain`() {
    let execution = simulate { _ in
      let executor = OwnExecutor()
      let first = Bank(executor)
      let second = Bank(executor)
      await first.write(1)
      await second.write(1)
    }
    #expect(execution.trace.domains.map(\.type) == ["pool", "MainActor", "OwnExecutor"])
  }

  /// Would run everything on a thread of its own.
  final class OwnPool: TaskExecutor {
    let enqueued = Atomic<Int>(0)
    private let ends: Log<Void>?
    init(_ ends: Log<Void>? = nil) { self.ends = ends }
    deinit { ends?.append(()) }
    func enqueue(_ job: consuming ExecutorJob) {
      enqueued.wrappingAdd(1, ordering: .relaxed)
      let job = UnownedJob(job)
      DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test func `a preferred task executor gives way to the pool`() {
    let pool = OwnPool()
    let seen = outcomes { _ in
      let counter = Counter()
      await withTaskExecutorPreference(pool) {
        async let first: Void = counter.set(counter.value + 1)
        async let second: Void = counter.set(counter.value + 1)
        _ = await (first, second)
        await Task.yield()
        await withCheckedContinuation { $0.resume() }
        try? await Task.sleep(for: .seconds(1))
      }
      await Task(executorPreference: pool) { await counter.set(counter.value + 1) }.value
      await withTaskGroup { group in
        group.addTask(executorPreference: pool) { await counter.set(counter.value + 1) }
      }
      return await counter.value
    }
    #expect(seen == [3, 4])
    #expect(pool.enqueued.load(ordering: .relaxed) == 0)
  }

  @Test func `a preference throws, returns and nests as ever`() {
    struct Failure: Error {}
    let execution = simulate { _ in
      let pool = OwnPool()
      let text = await withTaskExecutorPreference(pool) {
        await withTaskExecutorPreference(pool) { "a result that is longer than two words" }
      }
      #expect(text == "a result that is longer than two words")
      await #expect(throws: Failure.self) {
        try await withTaskExecutorPreference(pool) {
          await Task.yield()
          throw Failure()
        }
      }
    }
    #expect(execution.violations.isEmpty)
  }

  @Test func `a task executor outside simulations is what it was`() async {
    let pool = OwnPool()
    await withTaskExecutorPreference(pool) { await Task.detached {}.value }
    await Task(executorPreference: pool) {}.value
    #expect(pool.enqueued.load(ordering: .relaxed) > 0)
  }

  @Test func `a task executor is freed with its last task`() {
    let ends = Log<Void>()
    for _ in 1...3 {
      _ = simulate { _ in
        let pool = OwnPool(ends)
        await Task(executorPreference: pool) { await Task.yield() }.value
      }
    }
    #expect(ends.all.count == 3)
  }
}

/// Isolated deinits: an object that ends elsewhere is sent to its isolation as a job.
@Suite struct `Isolated deinit` {
  @MainActor final class Screen {
    let log: Log<String>
    nonisolated init(_ log: Log<String>) { self.log = log }
    isolated deinit {
      MainActor.preconditionIsolated()
      log.append("deinit")
    }
  }

  @Test func `on the main actor, left on the pool`() {
    let seen = outcomes { _ in
      let log = Log<String>()
      do { _ = Screen(log) }
      log.append("after")
      await MainActor.run {}
      return log.all
    }
    #expect(seen == [["after", "deinit"]])
  }

  actor Owner {
    let log: Log<String>
    init(_ log: Log<String>) { self.log = log }
    func touch() {}
    isolated deinit { log.append("deinit") }
  }

  @Test func `of an actor`() {
    let seen = outcomes { _ in
      let log = Log<String>()
      do { await Owner(log).touch() }
      try await Task.sleep(for: .seconds(1))
      return log.all
    }
    #expect(seen == [["deinit"]])
  }

  actor Guest {
    let executor: `Executors of the user`.OwnExecutor
    let log: Log<String>
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe executor.asUnownedSerialExecutor()
    }
    init(_ executor: `Executors of the user`.OwnExecutor, _ log: Log<String>) {
      self.executor = executor
      self.log = log
    }
    isolated deinit { log.append("deinit") }
  }

  @Test func `of an actor on an executor of the user's`() {
    let executor = `Executors of the user`.OwnExecutor()
    let seen = outcomes { _ in
      let log = Log<String>()
      do { _ = Guest(executor, log) }
      try await Task.sleep(for: .seconds(1))
      return log.all
    }
    #expect(seen == [["deinit"]])
    #expect(executor.enqueued.load(ordering: .relaxed) == 0)
  }

  @Test func `of what only a condition still held, when the execution ends`() {
    let log = Log<String>()
    for _ in 1...3 {
      _ = simulate { simulation in
        let screen = Screen(log)
        simulation.always("kept") {
          _ = screen; return true
        }
      }
    }
    #expect(log.all.count == 3)
  }
}
