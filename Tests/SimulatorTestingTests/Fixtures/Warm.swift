import Foundation
import Simulator
import SimulatorTesting
import Synchronization
import Testing

/// A loop on a thread of its own, which answers what comes through a pipe.
private final class Loop: @unchecked Sendable {
  static let shared = Loop()
  private let jobs = Mutex<[@Sendable () -> Void]>([])
  private let ends = Pipe()

  init() {
    Thread.detachNewThread { [self] in
      // Foundation keeps a name to itself; this one the system knows.
      try? "the loop".write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
      while !ends.fileHandleForReading.readData(ofLength: 1).isEmpty {
        for job in jobs.withLock({ jobs in
          defer { jobs = [] }
          return jobs
        }) { job() }
      }
    }
  }

  func answer() async -> Int {
    await withCheckedContinuation { waiting in
      jobs.withLock { $0.append { waiting.resume(returning: 42) } }
      ends.fileHandleForWriting.write(Data([1]))
    }
  }
}

/// A thread that waits for a condition, and answers.
private final class Worker: @unchecked Sendable {
  static let shared = Worker()
  private let condition = NSCondition()
  private var jobs: [@Sendable () -> Void] = []

  init() {
    Thread.detachNewThread { [self] in
      while true {
        condition.lock()
        while jobs.isEmpty { condition.wait() }
        let job = jobs.removeFirst()
        condition.unlock()
        job()
      }
    }
  }

  func answer() async -> Int {
    await withCheckedContinuation { waiting in
      condition.lock()
      jobs.append { waiting.resume(returning: 42) }
      condition.signal()
      condition.unlock()
    }
  }
}

/// Threads that wait for one condition, of which each signal wakes one.
private final class Pool: @unchecked Sendable {
  static let shared = Pool(2)
  static let ofOne = Pool(1)
  private let condition = NSCondition()
  private var jobs: [@Sendable () -> Void] = []

  init(_ count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [self] in
        while true {
          condition.lock()
          while jobs.isEmpty { condition.wait() }
          let job = jobs.removeFirst()
          condition.unlock()
          job()
        }
      }
    }
  }

  func run(_ job: @escaping @Sendable () -> Void) {
    condition.lock()
    jobs.append(job)
    condition.signal()
    condition.unlock()
  }

  func answer() async { await withCheckedContinuation { waiting in run { waiting.resume() } } }

  /// Blocks the calling thread.
  func wait() {
    let answered = NSCondition()
    nonisolated(unsafe) var isDone = false
    run {
      answered.lock()
      unsafe isDone = true
      answered.signal()
      answered.unlock()
    }
    answered.lock()
    while unsafe !isDone { answered.wait() }
    answered.unlock()
  }
}

/// A loop on a thread of Dispatch, which never gives it back.
private final class BlockOnAQueue: @unchecked Sendable {
  static let shared = BlockOnAQueue()
  private let queue = DispatchQueue(label: "the block's")
  private let condition = NSCondition()
  private var waiting: [CheckedContinuation<Int, Never>] = []

  init() {
    queue.async { [self] in
      while true {
        condition.lock()
        while waiting.isEmpty { condition.wait() }
        let first = waiting.removeFirst()
        condition.unlock()
        first.resume(returning: 42)
      }
    }
  }

  func answer() async -> Int {
    await withCheckedContinuation { continuation in
      condition.lock()
      waiting.append(continuation)
      condition.signal()
      condition.unlock()
    }
  }
}

/// A timer that answers all who wait, until it is cancelled.
private final class Ticker: @unchecked Sendable {
  static let shared = Ticker()
  static let cancelled = Ticker()
  private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticker"))
  private let waiting = Mutex<[CheckedContinuation<Int, Never>]>([])

  init() {
    timer.schedule(deadline: .now(), repeating: .milliseconds(20))
    timer.setEventHandler { [self] in
      let all = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for one in all { one.resume(returning: 42) }
    }
    timer.resume()
  }

  func answer() async -> Int {
    await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
  }

  func cancel() { timer.cancel() }
}

/// A thread that does nothing.
private let hasSleeper: Bool = {
  Thread.detachNewThread { while true { Thread.sleep(forTimeInterval: 1_000) } }
  return true
}()

/// A queue that has run a block.
private let queue = DispatchQueue(label: "warm")

/// Tests whose threads are older than their searches.
@Suite(.enabled(if: Fixtures.areEnabled), .serialized) struct Warm {
  @Test(.enabled("warm") { await Loop.shared.answer() == 42 }, .simulated(schedules: 10))
  func loopAnswers() async { #expect(await Loop.shared.answer() == 42) }

  @Test(.enabled("warm") { await Worker.shared.answer() == 42 }, .simulated(schedules: 10))
  func workerAnswers() async { #expect(await Worker.shared.answer() == 42) }

  @Test(.enabled("warm") { await BlockOnAQueue.shared.answer() == 42 }, .simulated(schedules: 10))
  func blockAnswers() async { #expect(await BlockOnAQueue.shared.answer() == 42) }

  @Test(.enabled("warm") { await Ticker.shared.answer() == 42 }, .simulated(schedules: 10))
  func timerAnswers() async { #expect(await Ticker.shared.answer() == 42) }

  @Test(
    .enabled("warm") {
      Ticker.cancelled.cancel()
      return true
    }, .simulated(schedules: 10))
  func cancelledTimerAnswers() async { #expect(await Ticker.cancelled.answer() == 42) }

  @Test(.enabled("warm") { queue.sync { true } }, .simulated(schedules: 10))
  func queueAnswers() async {
    let answer = await withCheckedContinuation { waiting in queue.async { waiting.resume(returning: 42) } }
    #expect(answer == 42)
  }

  @Test(.enabled("warm") { hasSleeper }, .simulated(schedules: 10))
  func nothingAnswers() async {
    await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
  }

  @Test(.enabled("warm") { hasSleeper }, .simulated(schedules: 10))
  func onlyTheSleeperCouldAnswer() async {
    await withCheckedContinuation { unanswered.waiting.append($0) }
  }

  @Test(
    .enabled("warm") {
      Pool.shared.wait()
      return true
    }, .simulated(schedules: 10))
  func poolAnswersAThread() async { Pool.shared.wait() }

  /// Only the process of the tests has the thread by then.
  @Test func warmsAPool() async { await Pool.ofOne.answer() }
  @Test(.simulated(schedules: 10)) func poolOfAnotherTestAnswers() async { await Pool.ofOne.answer() }

  @Test(.simulated(schedules: 10)) func isBesideThreadsOfOthers() async {
    await withCheckedContinuation { unanswered.waiting.append($0) }
  }
}

/// Kept, and never resumed.
private final class Unanswered: @unchecked Sendable {
  var waiting: [CheckedContinuation<Void, Never>] = []
}

private let unanswered = Unanswered()
