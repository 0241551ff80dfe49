import Simulator
import Synchronization
import Testing

/// Tasks of every kind are seen when they begin and when they end, and can be cancelled at
/// every point.
@Suite struct `Tasks` {
  enum Kind: CaseIterable, Sendable {
    case unstructured, detached, child, throwingChild, group, throwingGroup, discarding, throwingDiscarding
    case immediate, immediateDetached, isolated, named

    struct Failure: Error {}

    /// Runs two tasks of this kind that each yield once, and waits for them.
    func run(_ work: @escaping @Sendable () async -> Void) async throws {
      switch self {
      case .unstructured: for task in [Task { await work() }, Task { await work() }] { await task.value }
      case .detached:
        for task in [Task.detached { await work() }, Task.detached { await work() }] { await task.value }
      case .child:
        async let first: Void = work()
        async let second: Void = work()
        _ = await (first, second)
      case .throwingChild:
        async let first: Void = { () async throws in
          await work()
          throw Failure()
        }()
        async let second: Void = work()
        try? await first
        await second
      case .group:
        await withTaskGroup { group in for _ in 1...2 { group.addTask { await work() } } }
      case .throwingGroup:
        try? await withThrowingTaskGroup { group in
          group.addTask { await work() }
          group.addTask {
            await work()
            throw Failure()
          }
          try await group.waitForAll()
        }
      case .discarding:
        await withDiscardingTaskGroup { group in for _ in 1...2 { group.addTask { await work() } } }
      case .throwingDiscarding:
        try await withThrowingDiscardingTaskGroup { group in
          for _ in 1...2 { group.addTask { await work() } }
        }
      case .immediate:
        for task in [Task.immediate { await work() }, Task.immediate { await work() }] { await task.value }
      case .immediateDetached:
        for task in [Task.immediateDetached { await work() }, Task.immediateDetached { await work() }] {
          await task.value
        }
      case .isolated:
        for task in [Task { @MainActor in await work() }, Task { @MainActor in await work() }] {
          await task.value
        }
      case .named:
        for task in [Task(name: "a") { await work() }, Task(name: "b") { await work() }] { await task.value }
      }
    }
  }

  @Test(arguments: Kind.allCases) func `a task is seen when it begins and when it ends`(_ kind: Kind) {
    var options = Simulation.Options()
    options.forbidsOutlivingTasks = true
    let report = exhaust(schedules: 100, options: options) { _ in
      try await kind.run { await Task.yield() }
    }
    #expect(report.violations.map(\.message) == [])
    let trace = simulate { _ in try await kind.run { await Task.yield() } }.trace
    #expect(trace.tasks.count == 3)
    #expect(trace.tasks.map(\.ordinal) == [1, 1, 2])
    #expect(trace.tasks.map(\.parent) == [nil, 0, 0])
  }

  @Test(arguments: Kind.allCases) func `two tasks of a kind interleave at their suspensions`(_ kind: Kind) {
    let seen = outcomes { _ in
      let log = Log<Bool>()
      try await kind.run {
        log.append(true)
        await Task.yield()
        log.append(false)
      }
      return log.all
    }
    let together = [true, true, false, false]
    let apart = [true, false, true, false]
    let beginsTogether = [.immediate, .immediateDetached, .isolated].contains(kind)
    #expect(seen == (beginsTogether ? [together] : [together, apart]))
  }

  @Test func `an immediate task runs its first part inside its creator's step`() {
    let seen = outcomes { _ in
      let log = Log<Int>()
      let task = Task.immediate {
        log.append(1)
        await Task.yield()
        log.append(3)
      }
      log.append(2)
      await task.value
      return log.all
    }
    #expect(seen == [[1, 2, 3]])
  }

  @Test func `names reach the trace`() {
    let execution = simulate { _ in
      await Task(name: "loader") { #expect(Task.name == "loader") }.value
      await Task.detached(name: "saver") {}.value
      await withTaskGroup { group in group.addTask(name: "child") { await Task {}.value } }
    }
    #expect(execution.trace.tasks.map(\.name) == [nil, "loader", "saver", "child", nil])
    #expect(execution.trace.path(ofTask: 4) == "child.1")
  }

  @Test func `a group's results come in every order`() {
    let seen = outcomes { _ in
      await withTaskGroup(of: Int.self) { group in
        for number in 1...3 { group.addTask { number } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(seen == Set(permutations([1, 2, 3])))
  }

  @Test func `a stream keeps its order and may be finished at any time`() {
    let seen = outcomes { _ in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let producer = Task {
        for number in 1...2 {
          continuation.yield(number)
          await Task.yield()
        }
      }
      let finisher = Task { continuation.finish() }
      var received: [Int] = []
      for await number in stream { received.append(number) }
      await producer.value
      await finisher.value
      return received
    }
    #expect(seen == [[], [1], [1, 2]])
  }

  @Test func `a stream's termination handler runs when its reader is cancelled`() {
    let seen = outcomes { _ in
      let log = Log<String>()
      let reader = Task {
        let stream = AsyncStream<Int> { continuation in
          continuation.onTermination = { log.append("\($0)") }
        }
        for await _ in stream {}
      }
      await Task.yield()
      reader.cancel()
      await reader.value
      return log.all
    }
    #expect(seen == [["cancelled"]])
  }

  @Test func `a checked and an unsafe continuation are resumed with values and errors`() {
    struct Failure: Error {}
    let seen = outcomes { _ in
      let checked = await withCheckedContinuation { continuation in Task { continuation.resume(returning: 1) }
      }
      let thrown = await Task {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          Task { continuation.resume(throwing: Failure()) }
        }
      }.result
      let hasFailed = (try? thrown.get()) == nil
      let unchecked = unsafe await withUnsafeContinuation { continuation in
        Task { unsafe continuation.resume(returning: 2) }
      }
      return "\(checked) \(hasFailed) \(unchecked)"
    }
    #expect(seen == ["1 true 2"])
  }

  @Test func `a cancel lands at every point`() {
    let seen = outcomes { simulation in
      let counter = Counter()
      let log = Log<String>()
      let task = Task {
        await withTaskCancellationHandler {
          log.append(Task.isCancelled ? "began cancelled" : "began")
          await counter.increment()
          log.append(Task.isCancelled ? "hopped cancelled" : "hopped")
          do { try await Task.sleep(for: .seconds(1)) } catch { log.append("woken") }
          log.append(Task.isCancelled ? "ended cancelled" : "ended")
        } onCancel: {
          log.append("cancel")
        }
      }
      let canceller = Task {
        if simulation.choose(among: [true, false]) { try? await Task.sleep(for: .seconds(2)) }
        task.cancel()
      }
      await task.value
      await canceller.value
      return log.all
    }
    #expect(seen.contains(["cancel", "began cancelled", "hopped cancelled", "woken", "ended cancelled"]))
    #expect(seen.contains(["began", "cancel", "hopped cancelled", "woken", "ended cancelled"]))
    #expect(seen.contains(["began", "hopped", "cancel", "woken", "ended cancelled"]))
    #expect(seen.contains(["began", "hopped", "ended"]))
  }

  @Test func `a task that is cancelled before it begins still runs`() {
    let seen = outcomes { _ in
      let task = Task { Task.isCancelled }
      task.cancel()
      return await task.value
    }
    #expect(seen == [true])
  }

  @Test func `cancelling a group reaches every child, begun or not`() {
    let seen = outcomes { _ in
      await withTaskGroup(of: Bool.self) { group in
        for _ in 1...3 {
          group.addTask {
            try? await Task.sleep(for: .seconds(10))
            return Task.isCancelled
          }
        }
        group.cancelAll()
        #expect(!group.addTaskUnlessCancelled { true })
        return await group.allSatisfy(\.self)
      }
    }
    #expect(seen == [true])
  }

  @Test func `task-locals are inherited by the root and by what it starts`() {
    _ = Local.$value.withValue(7) {
      simulate { _ in
        #expect(Local.value == 7)
        let inherited = await Task { Local.value }.value
        let detached = await Task.detached { Local.value }.value
        #expect(inherited == 7)
        #expect(detached == 0)
      }
    }
  }

  enum Local {
    @TaskLocal static var value = 0
  }

  @Test func `a failing expectation inside lands on its test`() {
    withKnownIssue {
      _ = simulate { _ in
        let counter = Counter()
        await counter.increment()
        #expect(await counter.value == 2, "from inside")
      }
    } matching: { issue in
      issue.comments.first == "from inside"
    }
  }
}
