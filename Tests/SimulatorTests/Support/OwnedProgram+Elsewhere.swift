import Foundation

// Timers, operations, threads and executors of an `OwnedProgram`.

extension OwnedProgram.World {
  func runElsewhere(_ operation: OwnedProgram.Operation) {
    switch operation {
    case .timer(let slot, let kind, let its): timer(on: queue(slot), kind, its)
    case .operations(let kind, let underlying, let bodies): operations(kind, underlying, bodies)
    case .semaphore(let slot, let its):
      let semaphore = DispatchSemaphore(value: 0)
      queue(slot).async(execute: held { semaphore.signal() })
      let body = body(its)
      DispatchQueue.global().async {
        semaphore.wait()
        body()
      }
    case .perform(let count, let its):
      let body = body(its, count...count)
      DispatchQueue.concurrentPerform(iterations: count) { [self] _ in
        DispatchQueue(label: "inner", target: DispatchQueue(label: "inner's")).async(execute: held {})
        body()
      }
    case .thread(let its): Thread.detachNewThread(body(its))
    case .serialExecutor(let slot, let its):
      let counter = CounterOnQueue(SerialOnQueue(queue(slot)))
      let body = body(its)
      Task {
        await counter.run(body)
        await counter.run {}
      }
    case .taskExecutor(let slot, let its):
      let body = body(its)
      Task(executorPreference: TaskOnQueue(queue(slot))) {
        await Task.yield()
        body()
      }
    default: break
    }
  }

  private func timer(on queue: DispatchQueue, _ kind: OwnedProgram.TimerKind, _ its: OwnedProgram.Body) {
    let held = Held(DispatchSource.makeTimerSource(queue: queue))
    held.value?.schedule(deadline: .now() + .milliseconds(1), repeating: .milliseconds(1))
    switch kind {
    case .cancelsItself, .isSuspended: held.cancels(after: 1, body(its))
    case .firesThrice: held.cancels(after: 3, body(its, 3...3))
    case .releasesItself:
      let body = body(its)
      held.value?.setEventHandler {
        held.value = nil
        body()
      }
    case .isDropped: held.value?.setEventHandler(handler: body(its, 0...1))
    case .isCancelled:
      held.value?.setEventHandler(handler: self.held {})
      held.value?.setCancelHandler(handler: body(its))
    }
    held.value?.resume()
    switch kind {
    case .isCancelled: held.value?.cancel()
    case .isSuspended:
      held.value?.suspend()
      held.value?.resume()
    default: break
    }
  }

  private func operations(
    _ kind: OwnedProgram.OperationsKind, _ underlying: Int?, _ bodies: [OwnedProgram.Body]
  ) {
    let queue = OperationQueue()
    if let underlying {
      let its = self.queue(underlying)
      unsafe queue.underlyingQueue = its
    }
    if kind == .inOrder { queue.maxConcurrentOperationCount = 1 }
    let all = bodies.map { BlockOperation(block: body($0, kind == .cancelled ? 0...1 : 1...1)) }
    if kind == .dependent {
      for (first, second) in zip(all, all.dropFirst()) { second.addDependency(first) }
    }
    for operation in all.reversed() { queue.addOperation(operation) }
    if kind == .cancelled { queue.cancelAllOperations() }
  }
}

/// A timer that its handler may release.
private final class Held: @unchecked Sendable {
  // @unchecked Sendable because a simulation runs one thread at a time.
  var value: (any DispatchSourceTimer)?
  private var count = 0

  init(_ value: any DispatchSourceTimer) { self.value = value }

  func cancels(after most: Int, _ body: @escaping @Sendable () -> Void) {
    value?.setEventHandler { [self] in
      count += 1
      body()
      guard count == most else { return }
      value?.cancel()
      value = nil
    }
  }
}

private actor CounterOnQueue {
  private let executor: SerialOnQueue
  init(_ executor: SerialOnQueue) { self.executor = executor }
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
  func run(_ body: @Sendable () -> Void) { body() }
}

private final class SerialOnQueue: SerialExecutor {
  private let queue: DispatchQueue
  init(_ queue: DispatchQueue) { self.queue = DispatchQueue(label: "executor", target: queue) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

private final class TaskOnQueue: TaskExecutor {
  private let queue: DispatchQueue
  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
