import Foundation

extension Freeing {
  static let ofQueues = [
    Freeing(blocking: "DispatchQueue.async") { notes in
      let queue = DispatchQueue(label: "q")
      queue.async { notes.note("0") }
      notes.note("m")
      queue.drain()
    },
    Freeing(blocking: "DispatchQueue.asyncAfter, with nothing to wait for") { notes in
      let queue = DispatchQueue(label: "q")
      queue.asyncAfter(deadline: .now()) { notes.note("0") }
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "DispatchQueue.resume") { notes in
      let queue = DispatchQueue(label: "q")
      queue.suspend()
      queue.async { notes.note("0") }
      queue.resume()
      notes.note("m")
      queue.drain()
    },
    Freeing(blocking: "DispatchQueue.activate") { notes in
      let queue = DispatchQueue(label: "q", attributes: .initiallyInactive)
      queue.async { notes.note("0") }
      queue.activate()
      notes.note("m")
      queue.drain()
    },
    Freeing(blocking: "DispatchGroup.leave, with a notification") { notes in
      let (queue, group) = (DispatchQueue(label: "q"), DispatchGroup())
      group.enter()
      group.notify(queue: queue) { notes.note("0") }
      group.leave()
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "DispatchGroup.notify, when it is empty") { notes in
      let (queue, group) = (DispatchQueue(label: "q"), DispatchGroup())
      group.notify(queue: queue) { notes.note("0") }
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "DispatchWorkItem.perform, with a notification") { notes in
      let (queue, item) = (DispatchQueue(label: "q"), DispatchWorkItem {})
      item.notify(queue: queue) { notes.note("0") }
      item.perform()
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "DispatchQueue.setTarget, to a queue that is not suspended") { notes in
      let (held, free) = (DispatchQueue(label: "held"), DispatchQueue(label: "free"))
      held.suspend()
      let queue = DispatchQueue(label: "q", attributes: .initiallyInactive, target: held)
      queue.async { notes.note("0") }
      queue.setTarget(queue: free)
      queue.activate()
      notes.note("m")
      notes.wait()
      held.resume()
    },
    Freeing(blocking: "DispatchSemaphore.signal") { notes in
      let (queue, gate) = (DispatchQueue(label: "q"), DispatchSemaphore(value: 0))
      queue.async {
        gate.wait()
        notes.note("0")
      }
      gate.signal()
      notes.note("m")
      queue.drain()
    },
  ]

  static let ofTimers = [
    Freeing(blocking: "a timer source's resume") { notes in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q"))
      timer.schedule(deadline: .now())
      timer.setEventHandler { notes.note("0") }
      timer.resume()
      notes.note("m")
      notes.wait()
      timer.cancel()
    },
    Freeing(blocking: "a timer source's activate") { notes in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q"))
      timer.schedule(deadline: .now())
      timer.setEventHandler { notes.note("0") }
      timer.activate()
      notes.note("m")
      notes.wait()
      timer.cancel()
    },
    Freeing(blocking: "a timer source's cancel") { notes in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q"))
      timer.schedule(deadline: .distantFuture)
      timer.setCancelHandler { notes.note("0") }
      timer.resume()
      timer.cancel()
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "a timer source's schedule") { notes in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q"))
      timer.setEventHandler { notes.note("0") }
      timer.resume()
      timer.schedule(deadline: .now())
      notes.note("m")
      notes.wait()
      timer.cancel()
    },
  ]

  static let ofOperations = [
    Freeing(blocking: "OperationQueue.addOperation") { notes in
      let queue = OperationQueue()
      queue.addOperation { notes.note("0") }
      notes.note("m")
      queue.drain()
    },
    Freeing(blocking: "OperationQueue.addOperation, of an operation") { notes in
      let queue = OperationQueue()
      queue.addOperation(BlockOperation { notes.note("0") })
      notes.note("m")
      queue.drain()
    },
    Freeing(blocking: "OperationQueue.addOperations") { notes in
      let queue = OperationQueue()
      queue.addOperations([BlockOperation { notes.note("0") }], waitUntilFinished: false)
      notes.note("m")
      queue.drain()
    },
    Freeing(blocking: "OperationQueue.addBarrierBlock") { notes in
      let queue = OperationQueue()
      queue.addBarrierBlock { notes.note("0") }
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "OperationQueue.isSuspended") { notes in
      let queue = OperationQueue()
      queue.isSuspended = true
      queue.addOperation { notes.note("0") }
      queue.isSuspended = false
      notes.note("m")
      queue.drain()
    },
    Freeing("OperationQueue.main.addOperation") { notes in
      await withCheckedContinuation { continuation in
        OperationQueue.main.addOperation {
          notes.note("0")
          continuation.resume()
        }
        notes.note("m")
      }
    },
    Freeing(blocking: "the end of an operation on which another depends") { notes in
      let queue = OperationQueue()
      let (first, second) = (BlockOperation {}, BlockOperation { notes.note("0") })
      second.addDependency(first)
      queue.addOperation(second)
      first.start()
      notes.note("m")
      queue.drain()
    },
    Freeing(blocking: "Operation.completionBlock") { notes in
      let operation = BlockOperation {}
      operation.completionBlock = { notes.note("0") }
      operation.start()
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "OperationQueue.maxConcurrentOperationCount") { notes in
      let (queue, gate) = (OperationQueue(), DispatchSemaphore(value: 0))
      queue.maxConcurrentOperationCount = 1
      queue.addOperation { gate.wait() }
      queue.addOperation { notes.note("0") }
      queue.maxConcurrentOperationCount = 2
      notes.note("m")
      gate.signal()
      queue.drain()
    },
  ]
}
