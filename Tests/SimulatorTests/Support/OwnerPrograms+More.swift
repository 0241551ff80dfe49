import Foundation

extension OwnerProgram {
  static let groups = [
    OwnerProgram(
      "a group that its notification's asker alone has",
      calls: { end in
        let group = DispatchGroup()
        group.enter()
        group.notify(queue: requests()) { end() }
        DispatchQueue.global().async { group.leave() }
      }),
    OwnerProgram(
      "a group that has gone before its block is done",
      calls: { end in
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {}
        group.notify(queue: .main) { end() }
      }),
    OwnerProgram("a group with a target") {
      let group = DispatchGroup()
      group.setTarget(queue: requests())
      DispatchQueue.global().async(group: group) {}
    },
    OwnerProgram(
      "a semaphore that its two users alone keep",
      calls: { end in
        let semaphore = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          semaphore.wait()
          end()
        }
        requests().async { semaphore.signal() }
      }),
    OwnerProgram("a work item that is cancelled and released") {
      let queue = requests()
      let item = DispatchWorkItem {}
      queue.async(execute: item)
      item.cancel()
    },
    OwnerProgram(
      "a work item that is waited for and released",
      calls: { end in
        let item = DispatchWorkItem {}
        item.notify(queue: requests()) { end() }
        requests().async(execute: item)
      }),
    OwnerProgram("a work item that is waited for and never done") {
      DispatchWorkItem {}.notify(queue: requests()) {}
    },
  ]

  /// A timer that its handler may release.
  private final class Held: @unchecked Sendable {
    // @unchecked Sendable because a simulation runs one thread at a time.
    var timer: (any DispatchSourceTimer)?
    init(on queue: DispatchQueue) {
      timer = DispatchSource.makeTimerSource(queue: queue)
      timer?.schedule(deadline: .now() + 1, repeating: 1)
    }
  }

  static let timers = [
    OwnerProgram(
      "a timer that its handler cancels",
      calls: { end in
        let held = Held(on: requests())
        held.timer?.setEventHandler {
          held.timer?.cancel()
          end()
        }
        held.timer?.resume()
      }),
    OwnerProgram(
      "a timer that its handler releases",
      calls: { end in
        let held = Held(on: requests())
        held.timer?.setEventHandler {
          held.timer = nil
          end()
        }
        held.timer?.resume()
      }),
    OwnerProgram("a timer that is released without a cancel") { Held(on: requests()).timer?.resume() },
    OwnerProgram(
      "a timer that is cancelled while it is suspended",
      calls: { end in
        let held = Held(on: requests())
        held.timer?.setCancelHandler { end() }
        held.timer?.resume()
        held.timer?.suspend()
        held.timer?.cancel()
        held.timer?.resume()
      }),
    OwnerProgram(
      "what the handler of a cancelled timer holds",
      calls: { end in
        let held = Held(on: requests())
        let dying = Dying(end)
        held.timer?.setEventHandler { withExtendedLifetime(dying) {} }
        held.timer?.resume()
        held.timer?.cancel()
      }),
    OwnerProgram(
      "a timer of a run loop that invalidates itself",
      calls: { end in
        RunLoop.main.perform {
          let timer = Timer(timeInterval: 1, repeats: true) {
            $0.invalidate()
            end()
          }
          RunLoop.main.add(timer, forMode: .default)
        }
      }),
  ]

  static let elsewhere = [
    OwnerProgram(
      "an operation queue that goes away with its operations",
      calls: { end in
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.addOperation {}
        queue.addOperation { end() }
      }),
    OwnerProgram(
      "an operation queue on a queue that goes away",
      calls: { end in
        let queue = OperationQueue()
        let underlying = requests()
        unsafe queue.underlyingQueue = underlying
        queue.addBarrierBlock { end() }
      }),
    OwnerProgram("operations that are cancelled") {
      let queue = OperationQueue()
      for _ in 0..<3 { queue.addOperation {} }
      queue.cancelAllOperations()
    },
    OwnerProgram("a thread of which nothing keeps the object", calls: { end in Thread(block: end).start() }),
    OwnerProgram("locks one after the other at one place") {
      for _ in 0..<10 {
        let lock = NSLock()
        lock.withLock {}
        let condition = NSCondition()
        condition.withLock { condition.signal() }
      }
    },
    OwnerProgram("serial executors one after the other") {
      for _ in 0..<4 { await OfExecutor().act() }
    },
    OwnerProgram("task executors one after the other") {
      for _ in 0..<3 { await Task(executorPreference: Preferred()) { await Task.yield() }.value }
    },
  ]

  private actor OfExecutor {
    private let executor = Serial()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    func act() {}
  }

  private final class Serial: SerialExecutor {
    private let queue = OwnerProgram.requests()
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private final class Preferred: TaskExecutor {
    private let queue = OwnerProgram.requests()
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
