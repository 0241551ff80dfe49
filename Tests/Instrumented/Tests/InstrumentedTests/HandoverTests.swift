import Foundation
import Simulator
import Synchronization
import Testing

/// One way in which the runtime or the system orders what one task has done before what another does. Weak memory or not, the
/// second sees what the first has stored.
struct Handover: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Stores, hands over, and returns what is loaded behind the handover.
  let run: @Sendable (Words) async -> Int
}

extension Words {
  fileprivate func store() { x.store(1, ordering: .relaxed) }
  fileprivate var loaded: Int { x.load(ordering: .relaxed) }
}

private actor Keeper {
  var isThere = false
  func arrive(_ words: Words) {
    words.store()
    isThere = true
  }
  func look(_ words: Words) -> Int { isThere ? words.loaded : 1 }
}

private final class Late: Sendable {
  let lock = NSLock()
  let gate = DispatchSemaphore(value: 0)
  let queue = DispatchQueue(label: "serial")
  let wide = DispatchQueue(label: "wide", attributes: .concurrent)
  let group = DispatchGroup()
  let condition = NSCondition()
  let isThere = Mutex(false)
  nonisolated(unsafe) var hasCome = false
}

extension Handover {
  static let ofTasks: [Handover] = [
    Handover(testDescription: "the value of a task") { words in
      await Task.detached { words.store() }.value
      return words.loaded
    },
    Handover(testDescription: "the start of a task") { words in
      words.store()
      return await Task.detached { words.loaded }.value
    },
    Handover(testDescription: "a child of a group") { words in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { words.store() }
        await group.next()
        return words.loaded
      }
    },
    Handover(testDescription: "an async let") { words in
      async let stored: Void = words.store()
      await stored
      return words.loaded
    },
    Handover(testDescription: "a continuation") { words in
      await withCheckedContinuation { continuation in
        Task.detached {
          words.store()
          continuation.resume()
        }
      }
      return words.loaded
    },
    Handover(testDescription: "a stream") { words in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      async let sent: Void = {
        words.store()
        continuation.yield(1)
      }()
      for await _ in stream { break }
      let loaded = words.loaded
      await sent
      return loaded
    },
    Handover(testDescription: "an actor") { words in
      let keeper = Keeper()
      async let arrived: Void = keeper.arrive(words)
      let loaded = await keeper.look(words)
      await arrived
      return loaded
    },
    Handover(testDescription: "a cancel") { words in
      let task = Task.detached {
        await withTaskCancellationHandler {
          while !Task.isCancelled { await Task.yield() }
          return 1
        } onCancel: {
          if words.loaded == 0 { words.y.store(1, ordering: .sequentiallyConsistent) }
        }
      }
      words.store()
      task.cancel()
      _ = await task.value
      return words.y.load(ordering: .sequentiallyConsistent) == 0 ? 1 : 0
    },
    Handover(testDescription: "virtual time") { words in
      async let stored: Void = words.store()
      try? await Task.sleep(for: .milliseconds(1))
      let loaded = words.loaded
      await stored
      return loaded
    },
  ]

  static let ofLocksAndQueues: [Handover] = [
    Handover(testDescription: "a mutex") { words in
      let late = Late()
      async let stored: Void = {
        words.store()
        late.isThere.withLock { $0 = true }
      }()
      let isThere = late.isThere.withLock { $0 }
      let loaded = isThere ? words.loaded : 1
      await stored
      return loaded
    },
    Handover(testDescription: "a lock") { words in
      let late = Late()
      async let stored: Void = late.lock.withLock {
        words.store()
        late.hasCome = true
      }
      let isThere = late.lock.withLock { late.hasCome }
      let loaded = isThere ? words.loaded : 1
      await stored
      return loaded
    },
    Handover(testDescription: "a semaphore") { words in
      let late = Late()
      late.queue.async {
        words.store()
        late.gate.signal()
      }
      return await Task.detached {
        late.gate.wait()
        return words.loaded
      }.value
    },
    Handover(testDescription: "a condition") { words in
      let late = Late()
      late.queue.async {
        late.condition.withLock {
          words.store()
          late.hasCome = true
          late.condition.signal()
        }
      }
      return await Task.detached {
        late.condition.withLock {
          while !late.hasCome { late.condition.wait() }
          return words.loaded
        }
      }.value
    },
    Handover(testDescription: "a serial queue") { words in
      let late = Late()
      late.queue.async { words.store() }
      return late.queue.sync { words.loaded }
    },
    Handover(testDescription: "a barrier") { words in
      let late = Late()
      late.wide.async { words.store() }
      return late.wide.sync(flags: .barrier) { words.loaded }
    },
    Handover(testDescription: "a group of blocks") { words in
      let late = Late()
      late.wide.async(group: late.group) { words.store() }
      return await withCheckedContinuation { continuation in
        late.group.notify(queue: late.queue) { continuation.resume(returning: words.loaded) }
      }
    },
    Handover(testDescription: "a work item") { words in
      let late = Late()
      let item = DispatchWorkItem { words.store() }
      late.queue.async(execute: item)
      item.wait()
      return words.loaded
    },
    Handover(testDescription: "operations that depend on each other") { words in
      await withCheckedContinuation { continuation in
        let queue = OperationQueue()
        let first = BlockOperation { words.store() }
        let second = BlockOperation { continuation.resume(returning: words.loaded) }
        second.addDependency(first)
        queue.addOperation(first)
        queue.addOperation(second)
      }
    },
    Handover(testDescription: "a thread") { words in
      words.store()
      return await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: words.loaded) }.start()
      }
    },
    Handover(testDescription: "blocks that run at once") { words in
      DispatchQueue.concurrentPerform(iterations: 2) { if $0 == 0 { words.store() } }
      return words.loaded
    },
    Handover(testDescription: "the main actor") { words in
      await MainActor.run { words.store() }
      return await Task.detached { await MainActor.run { words.loaded } }.value
    },
    Handover(testDescription: "the main queue") { words in
      words.store()
      return await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume(returning: words.loaded) }
      }
    },
    Handover(testDescription: "a delayed block") { words in
      words.store()
      return await withCheckedContinuation { continuation in
        Late().queue.asyncAfter(deadline: .now() + 0.1) { continuation.resume(returning: words.loaded) }
      }
    },
  ]
}

/// An executor that runs its jobs on a queue.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private actor OnQueue {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var isThere = false
  func arrive(_ words: Words) {
    words.store()
    isThere = true
  }
  func look(_ words: Words) -> Int { isThere ? words.loaded : 1 }
}

/// What is made once in each execution, by the task that asks first.
private final class Once: @unchecked Sendable {
  // @unchecked Sendable because the system lets one task make it while the others wait.
  private var once = pthread_once_t()
  /// For a function of C, which can capture nothing.
  @TaskLocal private static var words: Words?

  func loaded(_ words: Words) -> Int {
    Self.$words.withValue(words) {
      _ = unsafe pthread_once(&once) { Once.words?.store() }
      return words.loaded
    }
  }
}

extension NSConditionLock {
  fileprivate func opens(_ body: () -> Void) {
    lock(whenCondition: 0)
    body()
    unlock(withCondition: 1)
  }

  fileprivate func afterOpening(_ body: () -> Int) -> Int {
    lock(whenCondition: 1)
    defer { unlock() }
    return body()
  }
}

extension Handover {
  static let ofOthers: [Handover] = [
    Handover(testDescription: "an executor of the program") { words in
      let keeper = OnQueue()
      async let arrived: Void = keeper.arrive(words)
      let loaded = await keeper.look(words)
      await arrived
      return loaded
    },
    Handover(testDescription: "something made once") { words in
      let once = Once()
      async let first = once.loaded(words)
      async let second = once.loaded(words)
      return await min(first, second)
    },
    Handover(testDescription: "a read-write lock") { words in
      let late = Late()
      let lock = ReadWriteLock()
      async let stored: Void = lock.writing {
        words.store()
        late.hasCome = true
      }
      let isThere = lock.reading { late.hasCome }
      let loaded = isThere ? words.loaded : 1
      await stored
      return loaded
    },
    Handover(testDescription: "the wait for a group of blocks") { words in
      let late = Late()
      late.wide.async(group: late.group) { words.store() }
      return await Task.detached {
        late.group.wait()
        return words.loaded
      }.value
    },
    Handover(testDescription: "a timer source") { words in
      let late = Late()
      words.store()
      return await withCheckedContinuation { continuation in
        let source = DispatchSource.makeTimerSource(queue: late.queue)
        source.schedule(deadline: .now() + 0.1)
        source.setEventHandler {
          source.cancel()
          continuation.resume(returning: words.loaded)
        }
        source.activate()
      }
    },
    Handover(testDescription: "a queue that was suspended") { words in
      let late = Late()
      late.queue.suspend()
      return await withCheckedContinuation { continuation in
        late.queue.async { continuation.resume(returning: words.loaded) }
        words.store()
        late.queue.resume()
      }
    },
    Handover(testDescription: "the main run loop") { words in
      words.store()
      return await withCheckedContinuation { continuation in
        RunLoop.main.perform { continuation.resume(returning: words.loaded) }
      }
    },
    Handover(testDescription: "the cancel of a group") { words in
      await withTaskGroup(of: Int.self) { group in
        group.addTask {
          while !Task.isCancelled { await Task.yield() }
          return words.loaded
        }
        words.store()
        group.cancelAll()
        return await group.next() ?? 0
      }
    },
    Handover(testDescription: "a condition lock") { words in
      let lock = NSConditionLock(condition: 0)
      await Task.detached { lock.opens { words.store() } }.value
      return await Task.detached { lock.afterOpening { words.loaded } }.value
    },
    Handover(testDescription: "the wait for all of a group") { words in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { words.store() } }
        await group.waitForAll()
        return words.loaded
      }
    },
  ]
}

@Suite struct `A handover, where memory is weak` {
  @Test(arguments: Handover.ofTasks + Handover.ofLocksAndQueues + Handover.ofOthers)
  func `shows the second what the first has stored`(_ handover: Handover) {
    let options = Simulation.Options(steps: .preemptible, memory: .weak)
    let report = explore("handover", schedules: 200, options: options) { simulation in
      if await handover.run(Words()) != 1 { simulation.fail("seen", "an older store was loaded") }
    }
    #expect(report.violations.isEmpty, "\(report)")
  }
}
