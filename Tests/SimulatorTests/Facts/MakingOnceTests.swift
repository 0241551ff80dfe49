import Foundation
import Simulator
import Synchronization
import Testing

/// Globals whose initializers wait. Each is of one test, because it is made once in a process.
@Suite(.serialized) struct `What is made once` {
  private func search(
    _ name: String, options: Simulation.Options = Simulation.Options(),
    _ body: @escaping @Sendable (Simulation) async -> Void
  ) -> Explorer.Report {
    explore(name, schedules: 100, options: options, body)
  }

  @Test func `may wait for a thread that it starts, and raises the level`() {
    let report = search("a thread") { simulation in
      if !byThread.isUp { simulation.fail("is up", "no") }
    }
    #expect(report.violations.map(\.message) == [])
    #expect(report.hasPreemptibleSteps)
  }

  @Test func `may wait for its queue, for two tasks that race to it`() {
    let report = search("a queue") { simulation in
      async let first = Holder.byQueue.value
      async let second = Holder.byQueue.value
      let both = await (first, second)
      if both != (2, 2) { simulation.fail("is made", "\(both)") }
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `may wait for a condition, sleep, and need another`() {
    let report = search("nested") { simulation in
      async let first = outer
      async let second = inner
      let both = await (first, second)
      if both != (42, 41) { simulation.fail("is made", "\(both)") }
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `may go round until a thread has begun`() {
    let report = search("a spin") { simulation in
      if !bySpin.isUp.load(ordering: .relaxed) { simulation.fail("is up", "no") }
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `is made anew where it was left in its middle, and once where it was not`() {
    let counts = Log<Int>()
    let report = search("pthread_once") { _ in
      async let first: Void = OnceOfThreads.call()
      async let second: Void = OnceOfThreads.call()
      _ = await (first, second)
      counts.append(OnceOfThreads.ended.load(ordering: .relaxed))
    }
    #expect(report.violations.map(\.message) == [])
    #expect(Set(counts.all).isSubset(of: [0, 1]))
    #expect(counts.all.last == 1)
  }

  @Test func `is a deadlock where two need each other, and says which`() throws {
    let report = search("each other", options: Simulation.Options(steps: .preemptible)) { _ in
      async let first = left
      async let second = right
      _ = await (first, second)
    }
    let message = try #require(report.violations.first?.message)
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.deadlock])
    #expect(message.contains("waits for the initializer of left, which "))
    #expect(message.contains("waits for the initializer of right, which "))
    #expect(message.contains("which 1 runs") && message.contains("which 2 runs"))
  }

  @Test func `is a deadlock where it needs itself`() throws {
    let report = search("itself") { _ in _ = selfish }
    let message = try #require(report.violations.first?.message)
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.deadlock])
    #expect(message.contains("the initializer of selfish, which "))
    #expect(message.contains("which it runs itself"))
  }

  @Test func `is refused where it needs itself and steps are whole`() throws {
    let report = search("itself, whole", options: Simulation.Options(steps: .atomic)) { _ in _ = selfish }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
    #expect(report.violations.first?.message.contains("swift_once at ") == true)
  }

  @Test func `may wait for what never comes, which is a deadlock each time`() {
    for _ in 0..<2 {
      let report = search("never", options: Simulation.Options(steps: .preemptible)) { _ in _ = never }
      #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.deadlock])
    }
  }

  @Test func `may be needed by few schedules only`() {
    let report = search("late") { simulation in
      let flag = Counter()
      async let first: Void = flag.set(1)
      async let second: Void = {
        if await flag.value == 0, !late.isUp { simulation.fail("is up", "no") }
      }()
      _ = await (first, second)
    }
    #expect(report.violations.map(\.message) == [])
    #expect(report.hasPreemptibleSteps)
  }
}

private final class ByThread: @unchecked Sendable {
  // @unchecked Sendable because who has waited for the thread reads what it wrote.
  private(set) var isUp = false
  init() {
    let ready = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      self.isUp = true
      ready.signal()
    }
    ready.wait()
  }
}

private let byThread = ByThread()
private let late = ByThread()

private enum Holder {
  static let byQueue = ByQueue()
}

private final class ByQueue: @unchecked Sendable {
  // @unchecked Sendable because the queue keeps the uses of its value apart, and then nothing changes it.
  private(set) var value = 0
  init() {
    let (queue, ready) = (DispatchQueue(label: "initializer"), DispatchSemaphore(value: 0))
    queue.async {
      self.value = 1
      ready.signal()
    }
    ready.wait()
    queue.async { self.value += 1 }
    queue.sync {}
  }
}

private final class ByCondition: @unchecked Sendable {
  // @unchecked Sendable because the condition guards it.
  private(set) var isUp = false
  init() {
    let condition = NSCondition()
    Thread.detachNewThread {
      condition.withLock {
        self.isUp = true
        condition.signal()
      }
    }
    condition.withLock { while !isUp { condition.wait() } }
  }
}

private let outer: Int = ByCondition().isUp ? inner + 1 : 0
private let inner: Int = {
  Thread.sleep(forTimeInterval: 0.1)
  return 41
}()

private final class BySpin: Sendable {
  let isUp = Atomic(false)
  init() {
    Thread.detachNewThread { self.isUp.store(true, ordering: .releasing) }
    while !isUp.load(ordering: .acquiring) { sched_yield() }
  }
}

private let bySpin = BySpin()

private enum OnceOfThreads {
  // Safe: only `pthread_once` uses it.
  nonisolated(unsafe) private static var control = pthread_once_t()
  static let ended = Atomic(0)

  static func call() {
    unsafe pthread_once(&control) {
      Thread.sleep(forTimeInterval: 0.01)
      OnceOfThreads.ended.add(1, ordering: .relaxed)
    }
  }
}

private let left: Int = {
  Thread.sleep(forTimeInterval: 0.1)
  return right + 1
}()
private let right: Int = {
  Thread.sleep(forTimeInterval: 0.1)
  return left + 1
}()

private let selfish: Int = needsSelfish()
private func needsSelfish() -> Int { selfish + 1 }

private let never: Int = {
  let lock = NSLock()
  lock.lock()
  lock.lock()
  return 1
}()
