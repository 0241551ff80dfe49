import Foundation

extension Twins {
  /// Between a task and a block.
  static let tasks: [Twins] = [
    Twins("a block begins after its submission") { total in
      let queue = DispatchQueue(label: "q")
      total.add()
      queue.async { total.add() }
      await drained(queue)
    } racy: { total in
      let queue = DispatchQueue(label: "q")
      queue.async { total.add() }
      total.add()
      await drained(queue)
    },
    Twins("a continuation that a block resumes") { total in
      await called { done in
        DispatchQueue.global().async {
          total.add()
          done()
        }
      }
      total.add()
    } racy: { total in
      await called { done in
        DispatchQueue.global().async {
          done()
          total.add()
        }
      }
      total.add()
    },
    Twins("a task that a block starts") { total in
      await called { done in
        DispatchQueue.global().async {
          total.add()
          Task {
            total.add()
            done()
          }
        }
      }
    } racy: { total in
      await called { done in
        DispatchQueue.global().async {
          Task {
            total.add()
            done()
          }
          total.add()
        }
      }
    },
    Twins("a lock") { total in
      let (lock, queue) = (NSLock(), DispatchQueue(label: "q"))
      queue.async { lock.withLock { total.add() } }
      lock.withLock { total.add() }
      await drained(queue)
    } racy: { total in
      let (lock, queue) = (NSLock(), DispatchQueue(label: "q"))
      queue.async { lock.withLock { total.add() } }
      total.add()
      await drained(queue)
    },
    Twins("an actor that a queue serves") { total in
      let queue = DispatchQueue(label: "q")
      let actor = OnQueue(queue, total)
      queue.async { total.add() }
      await actor.add()
      queue.sync { total.add() }
    } racy: { total in
      let actor = OnQueue(DispatchQueue(label: "q"), total)
      let other = DispatchQueue(label: "other")
      other.async { total.add() }
      await actor.add()
      await drained(other)
    },
  ]

  /// Between two blocks, by the queues on which they run.
  static let queues: [Twins] = [
    Twins("a serial queue") { total in
      let queue = DispatchQueue(label: "q")
      async let first: Void = queue.async { total.add() }
      async let second: Void = queue.async { total.add() }
      _ = await (first, second)
      await drained(queue)
    } racy: { total in
      let queues = [DispatchQueue(label: "a"), DispatchQueue(label: "b")]
      for queue in queues { queue.async { total.add() } }
      await drained(queues)
    },
    Twins("a serial target") { total in
      let target = DispatchQueue(label: "target")
      let queues = [
        DispatchQueue(label: "a", target: target), DispatchQueue(label: "b", target: target),
        DispatchQueue(label: "c", attributes: .concurrent, target: target),
      ]
      for queue in queues { queue.async { total.add() } }
      queues[2].async { total.add() }
      await drained(queues)
    } racy: { total in
      let target = DispatchQueue(label: "target", attributes: .concurrent)
      let queues = [DispatchQueue(label: "a", target: target), DispatchQueue(label: "b", target: target)]
      for queue in queues { queue.async { total.add() } }
      await drained(queues)
    },
    Twins("a barrier before and after others") { total in
      let queue = DispatchQueue(label: "q", attributes: .concurrent)
      queue.async { _ = total.read() }
      queue.async(flags: .barrier) { total.add() }
      queue.async { _ = total.read() }
      await drained(queue)
    } racy: { total in
      let queue = DispatchQueue(label: "q", attributes: .concurrent)
      queue.async { _ = total.read() }
      queue.async { total.add() }
      await drained(queue)
    },
    Twins("readers and a writer by sync") { total in
      let queue = DispatchQueue(label: "q", attributes: .concurrent)
      async let first: Int = queue.sync { total.read() }
      async let second: Void = queue.sync(flags: .barrier) { total.add() }
      async let third: Int = queue.sync { total.read() }
      _ = await (first, second, third)
    } racy: { total in
      let queue = DispatchQueue(label: "q", attributes: .concurrent)
      async let first: Int = queue.sync { total.read() }
      async let second: Void = queue.sync { total.add() }
      _ = await (first, second)
    },
    Twins("sync before and after blocks") { total in
      let queue = DispatchQueue(label: "q")
      queue.async { total.add() }
      queue.sync { total.add() }
      queue.async { total.add() }
      queue.sync {}
      total.add()
    } racy: { total in
      let queue = DispatchQueue(label: "q", attributes: .concurrent)
      queue.async { total.add() }
      queue.sync {}
      total.add()
      await drained(queue)
    },
    Twins("resume of a suspended queue") { total in
      let target = DispatchQueue(label: "target")
      let queue = DispatchQueue(label: "q", target: target)
      queue.suspend()
      queue.async { total.add() }
      target.async {}
      total.add()
      queue.resume()
      await drained(queue)
    } racy: { total in
      let queue = DispatchQueue(label: "q")
      queue.suspend()
      queue.async { total.add() }
      queue.resume()
      total.add()
      await drained(queue)
    },
    Twins("iterations, and what follows them") { total in
      total.add()
      DispatchQueue.concurrentPerform(iterations: 2) { _ in _ = total.read() }
      total.add()
    } racy: { total in
      DispatchQueue.concurrentPerform(iterations: 2) { _ in total.add() }
    },
  ]
}

private actor OnQueue {
  private let executor: QueueExecutor
  private let total: Total

  init(_ queue: DispatchQueue, _ total: Total) {
    executor = QueueExecutor(queue)
    self.total = total
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func add() { total.add() }
}

private final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
