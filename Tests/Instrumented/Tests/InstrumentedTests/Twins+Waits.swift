import Foundation

extension Twins {
  /// Between two blocks, by what one waits for.
  static let waits: [Twins] = [
    Twins("a group is left before it notifies") { total in
      let group = DispatchGroup()
      let others = [Total(), Total()]
      for other in others { DispatchQueue.global().async(group: group) { other.add() } }
      await called { done in
        group.notify(queue: .global()) {
          for other in others { other.add() }
          done()
        }
      }
    } racy: { total in
      let group = DispatchGroup()
      let queue = DispatchQueue(label: "q")
      group.enter()
      queue.async {
        group.leave()
        total.add()
      }
      await called { done in
        group.notify(queue: .global()) {
          total.add()
          done()
        }
      }
      await drained(queue)
    },
    Twins("a group is left before a wait ends") { total in
      let group = DispatchGroup()
      let others = [Total(), Total()]
      for other in others { DispatchQueue.global().async(group: group) { other.add() } }
      await called { done in
        DispatchQueue.global().async {
          group.wait()
          for other in others { other.add() }
          done()
        }
      }
    } racy: { total in
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { total.add() }
      await called { done in
        DispatchQueue.global().async {
          total.add()
          group.wait()
          done()
        }
      }
    },
    Twins("a semaphore is signaled before a wait ends") { total in
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        total.add()
        semaphore.signal()
      }
      await called { done in
        DispatchQueue.global().async {
          semaphore.wait()
          total.add()
          done()
        }
      }
    } racy: { total in
      let semaphore = DispatchSemaphore(value: 0)
      let queue = DispatchQueue(label: "q")
      queue.async {
        semaphore.signal()
        total.add()
      }
      await called { done in
        DispatchQueue.global().async {
          semaphore.wait()
          total.add()
          done()
        }
      }
      await drained(queue)
    },
    Twins("a semaphore that two blocks take in turn") { total in
      let semaphore = DispatchSemaphore(value: 1)
      let queues = [DispatchQueue(label: "a"), DispatchQueue(label: "b")]
      for queue in queues {
        queue.async {
          semaphore.wait()
          total.add()
          semaphore.signal()
        }
      }
      await drained(queues)
    } racy: { total in
      let semaphore = DispatchSemaphore(value: 1)
      let queues = [DispatchQueue(label: "a"), DispatchQueue(label: "b")]
      queues[0].async {
        semaphore.wait()
        total.add()
        semaphore.signal()
      }
      queues[1].async { total.add() }
      await drained(queues)
    },
    Twins("a work item is done before it notifies") { total in
      let queue = DispatchQueue(label: "q")
      nonisolated(unsafe) let item = DispatchWorkItem { total.add() }
      await called { done in
        item.notify(queue: .global()) {
          total.add()
          done()
        }
        queue.async(execute: item)
      }
    } racy: { total in
      let queue = DispatchQueue(label: "q")
      nonisolated(unsafe) let item = DispatchWorkItem {}
      await called { done in
        item.notify(queue: .global()) {
          total.add()
          done()
        }
        queue.async(execute: item)
        queue.async { total.add() }
      }
      await drained(queue)
    },
    Twins("a work item is done before a wait ends") { total in
      nonisolated(unsafe) let item = DispatchWorkItem { total.add() }
      DispatchQueue.global().async(execute: item)
      await called { done in
        DispatchQueue.global().async {
          item.wait()
          total.add()
          done()
        }
      }
    } racy: { total in
      nonisolated(unsafe) let item = DispatchWorkItem { total.add() }
      DispatchQueue.global().async(execute: item)
      await called { done in
        DispatchQueue.global().async {
          total.add()
          item.wait()
          done()
        }
      }
    },
    Twins("a thread and a block") { total in
      let semaphore = DispatchSemaphore(value: 0)
      await called { done in
        Thread.detachNewThread {
          semaphore.wait()
          total.add()
          done()
        }
        DispatchQueue.global().async {
          total.add()
          semaphore.signal()
        }
      }
    } racy: { total in
      let queue = DispatchQueue(label: "q")
      await called { done in
        Thread.detachNewThread {
          total.add()
          done()
        }
        queue.async { total.add() }
      }
      await drained(queue)
    },
  ]
}
