import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// Steps are whole until an execution shows that tasks share what only an overlap of steps can show.
@Suite struct `The level of a search` {
  private func search(
    _ name: String, schedules: Int = 20_000, _ body: @escaping @Sendable (Simulation) async -> Void
  ) -> Explorer.Report {
    explore(name, schedules: schedules, strategy: .exhaustive, body)
  }

  @Test func `rises where two tasks use a mutex`() {
    let seen = Log<String>()
    let report = search("two tasks, one log") { _ in
      let log = Log<String>()
      let task = Task { log.append("task") }
      log.append("maker")
      await task.value
      seen.append(log.all.joined(separator: " "))
    }
    #expect(report.hasPreemptibleSteps)
    #expect(Set(seen.all) == ["maker task", "task maker"])
    #expect(report.coverage == .everySchedule)
    #expect(report.coveredText?.contains("in which a step is left only where") == true)
  }

  @Test func `rises where two tasks use one lock`() {
    let report = search("two tasks, one lock") { _ in
      let lock = NSLock()
      async let first: Void = use(lock)
      async let second: Void = use(lock)
      _ = await (first, second)
    }
    #expect(report.hasPreemptibleSteps)
  }

  @Test func `stays where each task has a lock of its own`() {
    let report = search("two tasks, two locks") { _ in
      let (one, two) = (NSLock(), NSLock())
      async let first: Void = use(one)
      async let second: Void = use(two)
      _ = await (first, second)
    }
    #expect(!report.hasPreemptibleSteps)
    #expect(report.coveredText?.contains("of whole steps") == true)
  }

  @Test func `stays where only actors are shared, and costs no schedule`() {
    let body: @Sendable (Simulation) async -> Void = { _ in
      let counter = Counter()
      async let first: Void = counter.incrementThroughSelf()
      async let second: Void = counter.incrementThroughSelf()
      _ = await (first, second)
    }
    let report = search("an actor", body)
    let whole = explore(
      "an actor", strategy: .exhaustive, options: Simulation.Options(steps: .atomic), body)
    #expect(!report.hasPreemptibleSteps)
    #expect(report.coverage == .everySchedule)
    #expect(report.schedules == whole.schedules)
  }

  /// In the natural order the second task finds nothing to do.
  @Test func `rises in the middle of a search, and what it had covered is not claimed`() {
    let report = search("a lock that few schedules reach") { _ in
      let (flag, lock) = (Counter(), NSLock())
      async let first: Void = {
        await flag.set(1)
        use(lock)
      }()
      async let second: Void = {
        if await flag.value == 0 { use(lock) }
      }()
      _ = await (first, second)
    }
    #expect(report.hasPreemptibleSteps)
    #expect(report.coverage == .everySchedule)
    #expect(report.coveredSchedules < report.schedules)
  }

  /// In whole steps nobody could signal: the wait would have left the simulation.
  @Test func `rises where a step waits for a condition`() {
    let report = search("a condition") { _ in
      let (condition, flag) = (NSCondition(), Log<Int>())
      async let waits: Void = waitFor(condition, flag)
      async let signals: Void = {
        condition.withLock { flag.append(1) }
        condition.signal()
      }()
      _ = await (waits, signals)
    }
    #expect(report.hasPreemptibleSteps)
    #expect(report.violations.isEmpty)
    #expect(report.coverage == .everySchedule)
  }

  @Test func `goes with the token of what was found`() throws {
    let explorer = Explorer(name: "check, then act") { simulation in
      let (lock, box) = (NSLock(), Log<Int>())
      let task = Task {
        lock.withLock {}
        if box.all.isEmpty {
          lock.withLock {}
          box.append(1)
        }
      }
      lock.withLock {}
      if box.all.isEmpty {
        lock.withLock {}
        box.append(2)
      }
      await task.value
      if box.all.count > 1 { simulation.fail("once", "both have acted") }
    }
    let violation = try #require(explorer.explore().violations.first)
    #expect(violation.invariant == "once")
    let text = violation.token.description
    #expect(text.contains("-overlapping/"))
    let token = try Schedule.Token(parsing: text)
    #expect(token == violation.token)
    let replay = explorer.replay(token)
    #expect(replay.divergence == nil)
    #expect(replay.execution.violations.map(\.invariant) == ["once"])
  }
}

private func use(_ lock: NSLock) { lock.withLock {} }
private func waitFor(_ condition: NSCondition, _ flag: Log<Int>) {
  condition.lock()
  while flag.all.isEmpty { condition.wait() }
  condition.unlock()
}
