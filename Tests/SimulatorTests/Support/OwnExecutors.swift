import Dispatch
import Foundation

/// A serial executor that runs its jobs on a queue.
final class QueueTurns: SerialExecutor {
  let queue: DispatchQueue
  init(_ queue: DispatchQueue = DispatchQueue(label: "turns")) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    // Safe: each job is run once, on an executor that the closure holds. So it is below.
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

/// A task executor that runs its jobs on a queue.
final class QueueTurnsOfTasks: TaskExecutor {
  let queue: DispatchQueue
  init(_ queue: DispatchQueue = DispatchQueue(label: "turns")) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs the newest of its jobs first.
final class NewestFirst: SerialExecutor, @unchecked Sendable {
  // @unchecked Sendable because only blocks on the queue use the jobs.
  let queue = DispatchQueue(label: "newest first")
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { self.jobs.append(job) }
    queue.async { self.queue.async { self.runNewest() } }
  }

  private func runNewest() {
    unsafe jobs.removeLast().runSynchronously(on: asUnownedSerialExecutor())
  }
}

/// Runs all that have come, one after the other, on a queue that keeps no order.
final class Drain: SerialExecutor, @unchecked Sendable {
  // @unchecked Sendable because the jobs are used under the lock only.
  private let lock = NSLock()
  private var jobs: [UnownedJob] = []
  private var isDraining = false

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lock.lock()
    jobs.append(job)
    let begins = !isDraining
    isDraining = true
    lock.unlock()
    if begins { DispatchQueue.global().async { self.drain() } }
  }

  private func drain() {
    while let job = next() { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private func next() -> UnownedJob? {
    lock.lock()
    defer { lock.unlock() }
    isDraining = !jobs.isEmpty
    return isDraining ? jobs.removeFirst() : nil
  }
}

/// Runs each job at once, where it is given to it.
final class InPlaceExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    unsafe UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }
}

/// Writes down what its callers tell it, on the executor that it is given.
actor Clerk {
  private let executor: any SerialExecutor
  private let log: QueueLog
  // Safe: the actor holds its executor for as long as it lives.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ executor: any SerialExecutor, _ log: QueueLog) {
    self.executor = executor
    self.log = log
  }

  func add(_ letter: String) { log.add(letter) }
  func addTwice(_ letter: String) async {
    log.add(letter)
    await Task.yield()
    log.add(letter)
  }
  /// Starts a task for each letter: they come to the executor in this order.
  func start(_ letters: String) { for letter in letters { Task { self.add("\(letter)") } } }
  func addLater(_ letter: String) async {
    try? await Task.sleep(for: .seconds(1))
    log.add(letter)
  }
  nonisolated func addAtOnce(_ letter: String) { assumeIsolated { $0.log.add(letter) } }
}

/// The same on the pool.
actor PoolClerk {
  private let log: QueueLog
  init(_ log: QueueLog) { self.log = log }
  func add(_ letter: String) { log.add(letter) }
}
