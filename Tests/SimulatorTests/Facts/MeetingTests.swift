import Foundation
import Observation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// Two steps that share neither an actor nor a lock: one may come between two things that the other does.
@Suite struct `A step between two statements of another` {
  // MARK: cancels

  @Test func `cancels a task between two of its questions`() {
    for outcomes in searchedOutcomes(
      "two questions",
      {
        let task = Task.detached { "\(Task.isCancelled) \(Task.isCancelled)" }
        task.cancel()
        return await task.value
      })
    {
      #expect(outcomes == ["false false", "false true", "true true"])
    }
  }

  @Test func `cancels a task before it checks, or after`() {
    for outcomes in searchedOutcomes(
      "a check",
      {
        let task = Task.detached {
          do { try Task.checkCancellation() } catch { return "stops" }
          return "goes on"
        }
        task.cancel()
        return await task.value
      })
    {
      #expect(outcomes == ["stops", "goes on"])
    }
  }

  @Test func `cancels a group between two questions of a child`() {
    for outcomes in searchedOutcomes(
      "a child's questions",
      {
        await withTaskGroup(of: String.self) { group in
          group.addTask { "\(Task.isCancelled) \(Task.isCancelled)" }
          group.cancelAll()
          return await group.next() ?? ""
        }
      })
    {
      #expect(outcomes == ["false false", "false true", "true true"])
    }
  }

  @Test func `cancels the parent between two questions of its child`() {
    for outcomes in searchedOutcomes(
      "a grandchild's questions",
      {
        let parent = Task.detached {
          async let child = "\(Task.isCancelled) \(Task.isCancelled)"
          return await child
        }
        parent.cancel()
        return await parent.value
      })
    {
      #expect(outcomes == ["false false", "false true", "true true"])
    }
  }

  @Test func `cancels a task before its handler is in place, or after`() async {
    for outcomes in searchedOutcomes(
      "a handler",
      {
        let log = Mutex("")
        let task = Task.detached {
          await withTaskCancellationHandler {
            log.withLock { $0 += "o" }
            await Task.yield()
          } onCancel: {
            log.withLock { $0 += "c" }
          }
        }
        task.cancel()
        await task.value
        return log.withLock { $0 }
      })
    {
      #expect(outcomes.isSuperset(of: ["co", "oc"]))
    }
  }

  @Test func `is none where one actor cancels and asks`() {
    _ = searchedOutcomes("one actor", overlap: false) {
      await Task { @MainActor in
        let task = Task { @MainActor in "\(Task.isCancelled) \(Task.isCancelled)" }
        task.cancel()
        return await task.value
      }.value
    }
  }

  @Test func `is none where two cancel and none asks`() {
    _ = searchedOutcomes("two cancels", overlap: false) {
      let task = Task.detached { try? await Task.sleep(for: .seconds(1)) }
      let other = Task.detached { task.cancel() }
      task.cancel()
      await other.value
      await task.value
      return ""
    }
  }

  @Test func `is none for the questions of a fake`() {
    var explorer = Explorer(name: "a fake's questions") { _ in
      let task = Task.detached { try? await FakeNetwork(delay: .seconds(1)).send(.init("GET", "/a")) }
      task.cancel()
      _ = await task.value
    }
    explorer.budget.schedules = 100
    #expect(!explorer.explore().hasPreemptibleSteps)
  }

  // MARK: streams, objects, observers

  @Test func `takes an element out of a stream between two yields`() {
    for outcomes in searchedOutcomes(
      "the buffer of a stream",
      {
        let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let task = Task.detached {
          var count = 0
          for await _ in stream { count += 1 }
          return count
        }
        continuation.yield(1)
        continuation.yield(2)
        continuation.finish()
        return "\(await task.value)"
      })
    {
      #expect(outcomes == ["1", "2"])
    }
  }

  /// Not available to asynchronous code by its own name.
  private static func finish(_ queue: OperationQueue) { queue.waitUntilAllOperationsAreFinished() }

  private final class Thing: Sendable {}

  @Test func `drops the last reference before or after another looks for the object`() {
    for outcomes in searchedOutcomes(
      "a weak reference",
      {
        var thing: Thing? = Thing()
        let task = Task.detached { [weak thing] in thing == nil ? "gone" : "there" }
        thing = nil
        return await task.value
      })
    {
      #expect(outcomes == ["gone", "there"])
    }
  }

  @Test func `drops the last reference between two looks`() {
    for outcomes in searchedOutcomes(
      "two looks",
      {
        var thing: Thing? = Thing()
        let task = Task.detached { [weak thing] in
          (thing == nil ? "gone " : "there ") + (thing == nil ? "gone" : "there")
        }
        thing = nil
        return await task.value
      })
    {
      #expect(outcomes == ["gone gone", "there gone", "there there"])
    }
  }

  @Observable final class Model: @unchecked Sendable {
    // @unchecked Sendable because a simulation runs one thing at a time.
    var value = 0
  }

  @Test func `reads what is observed before the change, or after`() {
    for outcomes in searchedOutcomes(
      "an observer",
      {
        let model = Model()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        withObservationTracking {
          _ = model.value
        } onChange: {
          Task.detached {
            continuation.yield(model.value)
            continuation.finish()
          }
        }
        model.value = 1
        for await value in stream { return "\(value)" }
        return ""
      })
    {
      #expect(outcomes == ["0", "1"])
    }
  }

  // MARK: Foundation's objects

  private struct Shared<Object>: @unchecked Sendable {
    // @unchecked Sendable because Foundation says that these objects may be used from anywhere.
    let object: Object
    init(_ object: Object) { self.object = object }
  }

  @Test func `starts an operation before it is canceled, and runs it after`() {
    for outcomes in searchedOutcomes(
      "an operation",
      {
        let queue = OperationQueue()
        let log = QueueLog()
        let operation = BlockOperation()
        operation.addExecutionBlock { [unowned operation] in
          if operation.isCancelled { log.add("sees it") } else { log.add("runs") }
        }
        queue.addOperation(operation)
        operation.cancel()
        Self.finish(queue)
        return log.text
      })
    {
      #expect(outcomes == ["", "runs", "sees it"])
    }
  }

  @Test func `sees an operation that executes`() {
    for outcomes in searchedOutcomes(
      "the state of an operation",
      {
        let queue = OperationQueue()
        let operation = BlockOperation {}
        queue.addOperation(operation)
        let state = operation.isFinished ? "finished" : operation.isExecuting ? "executes" : "waits"
        Self.finish(queue)
        return state
      })
    {
      #expect(outcomes == ["waits", "executes", "finished"])
    }
  }

  @Test func `misses a cache that another fills`() {
    for outcomes in searchedOutcomes(
      "a cache",
      {
        // Safe: a cache may be used from anywhere.
        let cache = Shared(NSCache<NSString, NSNumber>())
        @Sendable func fill() -> Int {
          guard cache.object.object(forKey: "key") == nil else { return 0 }
          cache.object.setObject(1, forKey: "key")
          return 1
        }
        async let first = fill()
        async let second = fill()
        return "\(await first + second)"
      })
    {
      #expect(outcomes == ["1", "2"])
    }
  }

  @Test func `counts up a default between another's read and write`() {
    for outcomes in searchedOutcomes(
      "defaults",
      {
        let shared = Shared(UserDefaults.standard)
        shared.object.set(0, forKey: "visits")
        @Sendable func visit() {
          let defaults = shared.object
          defaults.set(defaults.integer(forKey: "visits") + 1, forKey: "visits")
        }
        async let first: Void = visit()
        async let second: Void = visit()
        _ = await (first, second)
        return "\(shared.object.integer(forKey: "visits"))"
      })
    {
      #expect(outcomes == ["1", "2"])
    }
  }

  @Test func `adds an operation where another has found none`() {
    let program = SmallProgram("the count of operations") { _ in
      let queue = OperationQueue()
      queue.isSuspended = true
      @Sendable func addFirst() { if queue.operationCount == 0 { queue.addOperation {} } }
      async let first: Void = addFirst()
      async let second: Void = addFirst()
      _ = await (first, second)
      let count = queue.operationCount
      queue.isSuspended = false
      Self.finish(queue)
      return "\(count)"
    }
    let (outcomes, _) = program.allOutcomes(Strategies.RandomWalk(), schedules: 200, steps: .asNeeded)
    #expect(outcomes == ["1", "2"])
  }
}
