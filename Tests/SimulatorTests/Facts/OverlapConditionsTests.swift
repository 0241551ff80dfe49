import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

@Suite struct `Waits where steps overlap` {
  private func outcomes(
    _ name: String, _ body: @escaping @Sendable () async -> String
  ) -> (Set<String>, Explorer.Report) {
    SmallProgram(name) { _ in await body() }.outcomes(
      Strategies.ExhaustiveDFS(), schedules: 50_000, options: Simulation.Options(steps: .preemptible))
  }

  private func expectAll(
    _ expected: Set<String>, _ name: String, _ body: @escaping @Sendable () async -> String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let (found, report) = outcomes(name, body)
    #expect(found == expected, sourceLocation: location)
    #expect(
      report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")", sourceLocation: location)
    #expect(report.violations.isEmpty, "\(report.violations.map(\.message))", sourceLocation: location)
  }

  /// What random schedules show; for what is too large to be searched to its end here.
  private func expectSampled(
    _ expected: Set<String>, _ name: String, _ body: @escaping @Sendable () async -> String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let (found, report) = SmallProgram(name) { _ in await body() }.outcomes(
      Strategies.RandomWalk(), schedules: 2_000, options: Simulation.Options(steps: .preemptible))
    #expect(found == expected, sourceLocation: location)
    #expect(report.violations.isEmpty, "\(report.violations.map(\.message))", sourceLocation: location)
  }

  // MARK: Dispatch

  /// The step in the queue makes a task and may be left there; who comes then has to wait.
  @Test func `a queue that a step has entered is a lock`() {
    expectSampled(["a1 a2 b1 b2", "b1 b2 a1 a2"], "sync") {
      let queue = DispatchQueue(label: "state")
      let log = Guarded<[String]>([])
      async let first: Void = enters(queue, "a", log)
      async let second: Void = enters(queue, "b", log)
      _ = await (first, second)
      return log.value.joined(separator: " ")
    }
  }

  @Test func `a semaphore of Dispatch that a step has taken is a lock`() {
    expectSampled(["a1 a2 b1 b2", "b1 b2 a1 a2"], "semaphore") {
      let semaphore = DispatchSemaphore(value: 1)
      let log = Guarded<[String]>([])
      async let first: Void = takes(semaphore, "a", log)
      async let second: Void = takes(semaphore, "b", log)
      _ = await (first, second)
      return log.value.joined(separator: " ")
    }
  }

  private func enters(_ queue: DispatchQueue, _ name: String, _ log: Guarded<[String]>) async {
    queue.sync {
      log.value.append(name + "1")
      Task {}
      log.value.append(name + "2")
    }
  }

  private func takes(_ semaphore: DispatchSemaphore, _ name: String, _ log: Guarded<[String]>) async {
    waits(for: semaphore)
    log.value.append(name + "1")
    Task {}
    log.value.append(name + "2")
    semaphore.signal()
  }

  private func waits(for semaphore: DispatchSemaphore) { semaphore.wait() }

  // MARK: conditions

  @Test func `a condition opens its mutex while a step waits, and takes it again`() {
    expectAll(["ready"], "a signal") {
      let condition = NSCondition()
      let ready = Guarded(false)
      async let waits: Void = wait(condition) { ready.value }
      async let signals: Void = condition.withLock {
        ready.value = true
        condition.signal()
      }
      _ = await (waits, signals)
      return "ready"
    }
  }

  @Test func `a signal that comes before the wait is lost, and the wait is a deadlock`() async {
    // In a process of its own: where other threads live, one of them could signal.
    await #expect(processExitsWith: .success) {
      let report = explored {
        let condition = Condition()
        async let waits: Void = condition.withLock { condition.wait() }
        async let signals: Void = condition.signal()
        _ = await (waits, signals)
      }
      expectDeadlock(report, "waits for a signal of its condition at ")
    }
  }

  @Test func `a signal wakes one of those that wait, and each can be the one`() {
    expectAll(["a b", "b a"], "two waiters") { await twoWaiters { $0.signal() } }
  }

  @Test func `a broadcast wakes all that wait`() {
    expectAll(["a b", "b a"], "a broadcast") { await twoWaiters { $0.broadcast() } }
  }

  @Test func `a timed wait that nobody ends takes its time and no other`() {
    expectAll(["110 5.0 seconds, 110 7.0 seconds, false 9.0 seconds"], "timed waits") {
      let condition = Condition()
      let start = ContinuousClock.now
      let first = condition.withLock { condition.wait(seconds: 5) }
      let one = "\(first) \(ContinuousClock.now - start)"
      let second = condition.withLock { condition.waitMonotonic(seconds: 2) }
      let two = "\(second) \(ContinuousClock.now - start)"
      let other = NSCondition()
      let third = other.withLock { other.wait(until: Date() + 2) }
      return "\(one), \(two), \(third) \(ContinuousClock.now - start)"
    }
  }

  @Test func `a signal before the end of its time ends a timed wait`() {
    expectAll(["0 1.0 seconds"], "a signal in time") {
      let condition = Condition()
      let start = ContinuousClock.now
      async let answer = condition.withLock { condition.wait(seconds: 5) }
      try? await Task.sleep(for: .seconds(1))
      condition.signal()
      return "\(await answer) \(ContinuousClock.now - start)"
    }
  }

  @Test func `where both come at once, either the signal or the time ends a wait`() {
    expectAll(["0", "110"], "a signal at the last moment") {
      let condition = Condition()
      async let answer = condition.withLock { condition.wait(seconds: 1) }
      try? await Task.sleep(for: .seconds(1))
      condition.signal()
      return "\(await answer)"
    }
  }

  @Test func `who has waited in vain may find what it has waited for`() {
    expectAll(["110 false", "110 true", "0 true"], "too late and yet there") {
      let condition = Condition()
      let ready = Guarded(false)
      async let answer = condition.withLock {
        let error = condition.wait(seconds: 1)
        return "\(error) \(ready.value)"
      }
      try? await Task.sleep(for: .seconds(1))
      condition.withLock {
        ready.value = true
        condition.signal()
      }
      return await answer
    }
  }

  @Test func `an NSConditionLock hands over`() {
    expectAll(["a b"], "two turns") {
      let turn = NSConditionLock(condition: 0)
      let words = SpokenWords()
      async let second: Void = take(turn, 1, 2) { words.add("b") }
      async let first: Void = take(turn, 0, 1) { words.add("a") }
      _ = await (first, second)
      return words.text
    }
  }

  // MARK: semaphores

  @Test func `a semaphore hands over, and a post may be followed by who has waited`() {
    expectAll(["posts woken", "woken posts"], "a post") {
      let semaphore = Semaphore(0)
      let words = SpokenWords()
      async let waits: Void = {
        semaphore.wait()
        words.add("woken")
      }()
      async let posts: Void = {
        semaphore.post()
        words.add("posts")
      }()
      _ = await (waits, posts)
      return words.text
    }
  }

  @Test func `a timed wait for a semaphore ends by the post or by its time`() {
    expectAll(["0", "\(ETIMEDOUT)"], "a post at the last moment") {
      let semaphore = Semaphore(0)
      async let answer = semaphore.wait(seconds: 1)
      try? await Task.sleep(for: .seconds(1))
      semaphore.post()
      return "\(await answer)"
    }
  }

  @Test func `a semaphore that is handed from task to task is no lock`() {
    expectAll(["handed on"], "a semaphore across a suspension") {
      let semaphore = Semaphore(1)
      semaphore.wait()
      await Task.yield()
      async let other: Void = semaphore.post()
      await other
      semaphore.wait()
      return "handed on"
    }
  }

  @Test func `two semaphores that are taken in opposite order are a deadlock`() async {
    await #expect(processExitsWith: .success) {
      let report = explored {
        let (one, two) = (Semaphore(1), Semaphore(1))
        async let first: Void = nested(one, two)
        async let second: Void = nested(two, one)
        _ = await (first, second)
      }
      expectDeadlock(report, "waits for a post to its semaphore at ")
    }
  }

  // MARK: read-write locks

  @Test func `two steps may read at once`() {
    expectSampled(
      ["a1 a2 b1 b2", "a1 b1 a2 b2", "a1 b1 b2 a2", "b1 a1 a2 b2", "b1 a1 b2 a2", "b1 b2 a1 a2"],
      "two readers"
    ) {
      let (lock, words) = (ReadWriteLock(), SpokenWords())
      async let first: Void = lock.reading { twice("a", words) }
      async let second: Void = lock.reading { twice("b", words) }
      _ = await (first, second)
      return words.text
    }
  }

  @Test func `who writes is alone`() {
    expectSampled(["r1 r2 w1 w2", "w1 w2 r1 r2"], "a reader and a writer") {
      let (lock, words) = (ReadWriteLock(), SpokenWords())
      async let first: Void = lock.reading { twice("r", words) }
      async let second: Void = lock.writing { twice("w", words) }
      _ = await (first, second)
      return words.text
    }
  }

  @Test func `one that writes and one that reads in opposite order are a deadlock that names both`() throws {
    let (_, report) = outcomes("read-write locks in opposite order") {
      let (one, two) = (ReadWriteLock(), ReadWriteLock())
      async let first: Void = one.reading { two.writing {} }
      async let second: Void = two.reading { one.writing {} }
      _ = await (first, second)
      return "done"
    }
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == Invariant.BuiltIn.deadlock)
    for (waiter, holder) in [(1, 2), (2, 1)] {
      #expect(
        violation.message.contains("\(waiter) waits for a read-write lock, to write, that "),
        "\(violation.message)")
      #expect(violation.message.contains("\(holder) holds at "), "\(violation.message)")
    }
  }

  @Test func `who only tries does not wait`() {
    expectAll(["false true", "true true"], "tries") {
      let lock = ReadWriteLock()
      async let reads: Void = lock.reading { Task {} }
      let one = write(lock)
      await reads
      return "\(one) \(write(lock))"
    }
  }

  // MARK: the ends of executions

  @Test func `executions that end while steps stand leave no lock behind`() {
    let (one, two) = (ReadWriteLock(), ReadWriteLock())
    var explorer = Explorer(name: "again and again", options: Simulation.Options(steps: .preemptible)) { _ in
      async let first: Void = one.writing { two.writing {} }
      async let second: Void = two.writing { one.writing {} }
      _ = await (first, second)
    }
    explorer.budget.schedules = 300
    explorer.budget.violationsToFind = nil
    explorer.strategy = Strategies.RandomWalk()
    let report = explorer.explore()
    #expect(report.schedules == 300)
    #expect(report.failures > 20 && report.failures < 280, "\(report.failures)")
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.deadlock])
  }

  @Test func `a thread of others that could end a wait makes it a way out`() {
    let (name, stop) = ("a condition of others", DispatchSemaphore(value: 0))
    Thread.detachNewThread { stop.wait() }
    defer { stop.signal() }
    let (_, report) = outcomes(name) {
      let condition = Condition()
      condition.withLock { condition.wait() }
      return "woken"
    }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
  }
}

private func explored(_ body: @escaping @Sendable () async -> Void) -> Explorer.Report {
  var explorer = Explorer(name: "a wait", options: Simulation.Options(steps: .preemptible)) { _ in
    await body()
  }
  explorer.strategy = Strategies.ExhaustiveDFS()
  return explorer.explore()
}

/// Ends the process where the report is another.
private func expectDeadlock(_ report: Explorer.Report, _ text: String) {
  let messages = report.violations.map(\.message)
  guard report.violations.map(\.invariant) == [Invariant.BuiltIn.deadlock], messages[0].contains(text) else {
    fatalError("\(messages)")
  }
}

private func wait(_ condition: NSCondition, until isSo: () -> Bool) {
  condition.lock()
  while !isSo() { condition.wait() }
  condition.unlock()
}

private func take(_ turn: NSConditionLock, _ number: Int, _ next: Int, _ body: () -> Void) {
  // Without an end of its time, the wait traps in Foundation.
  guard turn.lock(whenCondition: number, before: Date() + 10) else { return }
  body()
  turn.unlock(withCondition: next)
}

/// Two tasks wait, and a third wakes them, one after the other or both at once.
private func twoWaiters(_ wake: @Sendable (Condition) -> Void) async -> String {
  let condition = Condition()
  let words = SpokenWords()
  let (waiting, turns) = (Guarded(0), Guarded(0))
  async let a: Void = condition.withLock {
    waiting.value += 1
    while turns.value == 0 { condition.wait() }
    turns.value -= 1
    words.add("a")
  }
  async let b: Void = condition.withLock {
    waiting.value += 1
    while turns.value == 0 { condition.wait() }
    turns.value -= 1
    words.add("b")
  }
  for _ in 0..<2 {
    condition.withLock {
      turns.value += 1
      wake(condition)
    }
  }
  _ = await (a, b)
  return words.text
}

private func nested(_ outer: Semaphore, _ inner: Semaphore) {
  outer.wait()
  inner.wait()
  inner.post()
  outer.post()
}

private func twice(_ name: String, _ words: SpokenWords) {
  words.add(name + "1")
  NSLock().withLock {}
  words.add(name + "2")
}

private func write(_ lock: ReadWriteLock) -> Bool {
  guard lock.tryWrite() else { return false }
  lock.unlock()
  return true
}

/// Words in the order in which they come.
private final class SpokenWords: @unchecked Sendable {
  // @unchecked Sendable because one step of a simulation runs at a time. A mutex would be one more scheduling point.
  private var words: [String] = []

  func add(_ word: String) { words.append(word) }
  var text: String { words.joined(separator: " ") }
}
