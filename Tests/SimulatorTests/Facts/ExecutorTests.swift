import Dispatch
import Simulator
import Synchronization
import Testing

/// Executors of the user's own, serial and concurrent.
@Suite struct `Executors of the user` {
  /// Counts what reaches it.
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

  @Test func `a serial executor of the user's is asked to run its jobs`() {
    let executor = OwnExecutor()
    let seen = outcomes { _ in
      let bank = Bank(executor)
      async let first: Void = bank.write(bank.read() + 1)
      async let second: Void = bank.write(bank.read() + 1)
      _ = await (first, second)
      return await bank.read()
    }
    #expect(seen == [1, 2])
    #expect(executor.enqueued.load(ordering: .relaxed) > 0)
  }

  @Test func `the library comes back to it from sleeps, streams, tasks and continuations`() {
    let executor = OwnExecutor()
    let seen = outcomes { _ in
      let bank = Bank(executor)
      try await bank.everything()
      return await bank.read()
    }
    #expect(seen == [9])
    #expect(executor.enqueued.load(ordering: .relaxed) > 0)
  }

  /// A group's end, in debug builds, goes out to the pool and back inside the library.
  @Test func `the library comes back to it from a group`() {
    let executor = OwnExecutor()
    #expect(outcomes(schedules: 3) { _ in await Bank(executor).readInGroup() } == [1])
  }

  @Test func `two actors on one executor are one domain`() {
    let execution = simulate { _ in
      let executor = OwnExecutor()
      let first = Bank(executor)
      let second = Bank(executor)
      await first.write(1)
      await second.write(1)
    }
    #expect(execution.trace.domains.map(\.type) == ["pool", "MainActor", "own"])
  }

  /// Runs everything on any thread.
  final class OwnPool: TaskExecutor {
    let enqueued = Atomic<Int>(0)
    func enqueue(_ job: consuming ExecutorJob) {
      enqueued.wrappingAdd(1, ordering: .relaxed)
      let job = UnownedJob(job)
      DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test func `a task executor of the user's is asked to run its jobs`() {
    let pool = OwnPool()
    let programs: [@Sendable (Simulation) async throws -> Void] = [
      { _ in await withTaskExecutorPreference(pool) { await Task.yield() } },
      { _ in await Task(executorPreference: pool) { await Task.yield() }.value },
      { _ in await withTaskGroup { $0.addTask(executorPreference: pool) { await Task.yield() } } },
    ]
    for (number, program) in programs.enumerated() {
      let report = exhaust(schedules: 1, program)
      #expect(report.violations.map(\.message) == [])
      #expect(pool.enqueued.load(ordering: .relaxed) > 2 * number)
    }
  }

  @Test func `tasks with and without a preference on one default actor are refused`() {
    let pool = OwnPool()
    let report = exhaust(schedules: 20) { _ in
      let counter = Counter()
      async let other: Void = counter.set(1)
      await Task(executorPreference: pool) { await counter.set(2) }.value
      await other
    }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
    let message = report.violations.first?.message ?? ""
    #expect(message.contains("runs on an executor of its own, a TaskExecutor at "), "\(message)")
    #expect(message.contains(" ExecutorTests.swift:"), "\(message)")
    #expect(report.coverage == nil)
  }

  @Test func `a preference for the pool is none`() {
    let seen = outcomes { _ in
      let counter = Counter()
      await withTaskExecutorPreference(globalConcurrentExecutor) {
        async let first: Void = counter.set(counter.value + 1)
        async let second: Void = counter.set(counter.value + 1)
        _ = await (first, second)
        await Task.yield()
        await withCheckedContinuation { $0.resume() }
        try? await Task.sleep(for: .seconds(1))
      }
      await Task(executorPreference: globalConcurrentExecutor) {
        await counter.set(counter.value + 1)
      }.value
      await withTaskExecutorPreference(nil) { await counter.set(counter.value) }
      return await counter.value
    }
    #expect(seen == [2, 3])
  }

  @Test func `a preference throws, returns and nests as ever`() {
    struct Failure: Error {}
    let execution = simulate { _ in
      let text = await withTaskExecutorPreference(globalConcurrentExecutor) {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
          "a result that is longer than two words"
        }
      }
      #expect(text == "a result that is longer than two words")
      await #expect(throws: Failure.self) {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
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
}

/// Executors that keep their order together: in reality they are one queue.
@Suite struct `Two executors of the user` {
  /// Sends to a queue that others may send to as well.
  final class Sender: SerialExecutor {
    let queue: DispatchQueue
    init(_ queue: DispatchQueue = DispatchQueue(label: "sender")) { self.queue = queue }
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  /// Keeps nothing of its own.
  final class Sharing: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      DispatchQueue.main.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  actor Owner {
    private let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe executor.asUnownedSerialExecutor()
    }
    init(_ executor: any SerialExecutor) { self.executor = executor }

    /// Starts a task here and then one there: on one queue they run in this order.
    func start(_ other: Owner, _ log: Log<Int>) async {
      Task { self.note(1, log) }
      await other.startHere(log)
    }
    func startHere(_ log: Log<Int>) { Task { self.note(2, log) } }
    func note(_ number: Int, _ log: Log<Int>) { log.append(number) }
  }

  private static func body(
    _ make: @escaping @Sendable () -> (any SerialExecutor, any SerialExecutor)
  ) -> @Sendable (Simulation) async -> [Int] {
    { _ in
      let (first, second) = make()
      let log = Log<Int>()
      await Owner(first).start(Owner(second), log)
      while log.all.count < 2 { await Task.yield() }
      return log.all
    }
  }

  @Test func `that are one run in its order`() {
    let seen = outcomes(
      Self.body {
        let executor = Sender()
        return (executor, executor)
      })
    #expect(seen == [[1, 2]])
  }

  @Test func `with queues of their own run in any order`() {
    #expect(outcomes(Self.body { (Sender(), Sender()) }) == [[1, 2], [2, 1]])
  }

  static let shared: [@Sendable () -> (any SerialExecutor, any SerialExecutor)] = [
    {
      let queue = DispatchQueue(label: "shared")
      return (Sender(queue), Sender(queue))
    },
    {
      let queue = DispatchQueue(label: "target")
      return (Sender(queue), Sender(DispatchQueue(label: "second", target: queue)))
    },
    { (Sharing(), Sharing()) },
    { (Sender(.main), Sharing()) },
  ]

  @Test(arguments: shared.indices) func `that share what they run on run in its order`(_ pair: Int) {
    #expect(outcomes(Self.body(Self.shared[pair])) == [[1, 2]])
  }

  /// The real runtime keeps the order of a queue that two executors send to.
  @Test func `on one queue keep their order outside simulations`() async {
    let queue = DispatchQueue(label: "shared")
    for _ in 0..<200 {
      let log = Log<Int>()
      await Owner(Sender(queue)).start(Owner(Sender(queue)), log)
      while log.all.count < 2 { await Task.yield() }
      #expect(log.all == [1, 2])
    }
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
    #expect(executor.enqueued.load(ordering: .relaxed) > 0)
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
