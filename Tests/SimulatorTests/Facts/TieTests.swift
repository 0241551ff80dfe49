import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// Several things are due at one instant, and what one of them sets free may cancel a sleep that is due as well.
@Suite struct `Ties` {
  /// Expects exactly these outcomes of a program: from so many schedules of the default strategy, and from searches that end.
  private func check(
    _ expected: Set<String>, schedules: Int = 1_000, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Simulation) async -> String
  ) {
    let program = SmallProgram("tie", body)
    #expect(
      program.outcomes(.portfolio, schedules: schedules).outcomes == expected, sourceLocation: sourceLocation)
    for strategy: any SchedulingStrategy in [.reduced, .exhaustive] {
      let (outcomes, report) = program.outcomes(strategy)
      #expect(outcomes == expected, sourceLocation: sourceLocation)
      #expect(report.coverage != nil, sourceLocation: sourceLocation)
    }
  }

  private static func sleep(_ milliseconds: Int) async -> String {
    do {
      try await Task.sleep(for: .milliseconds(milliseconds))
      return "slept"
    } catch {
      return "canceled"
    }
  }

  @Test func `a cancel comes before or after the end of a sleep`() {
    check(["slept", "canceled"]) { _ in
      let task = Task { await Self.sleep(2) }
      try? await Task.sleep(for: .milliseconds(2))
      task.cancel()
      return await task.value
    }
  }

  @Test func `the sleep that was set first may end last`() {
    check(["slept", "canceled"]) { _ in
      let task = Task { await Self.sleep(3) }
      try? await Task.sleep(for: .milliseconds(1))
      try? await Task.sleep(for: .milliseconds(2))
      task.cancel()
      return await task.value
    }
  }

  @Test func `work and its time limit, due together, end in either order`() {
    check(["done", "timed out"]) { _ in
      await withTaskGroup(of: String.self) { group in
        group.addTask { await Self.sleep(5) == "slept" ? "done" : "given up" }
        group.addTask { await Self.sleep(5) == "slept" ? "timed out" : "in time" }
        let first = await group.next() ?? ""
        group.cancelAll()
        return first
      }
    }
  }

  @Test(arguments: [1, 2, 7, 130, 999])
  func `a wait until a date ends by its limit or by a signal that is due with it`(_ milliseconds: Int) {
    let program = SmallProgram("until a date") { _ in
      // A `Date` is a `Double`, so a limit that it names is rarely the same nanosecond as the end of a sleep.
      try? await Task.sleep(for: .microseconds(1_300))
      let condition = NSCondition()
      async let signal: Void = {
        try? await Task.sleep(for: .milliseconds(milliseconds))
        condition.withLock { condition.signal() }
      }()
      let isSignaled = condition.withLock {
        condition.wait(until: Date(timeIntervalSinceNow: Double(milliseconds) / 1_000))
      }
      await signal
      return "\(isSignaled)"
    }
    let options = Simulation.Options(steps: .preemptible)
    #expect(
      program.outcomes(.portfolio, schedules: 1_000, options: options).outcomes == ["true", "false"])
    let (reduced, report) = program.allOutcomes(.reduced)
    #expect(reduced == ["true", "false"])
    #expect(report.coverage != nil, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `a sleep until a date is followed by a search that ends`() {
    let program = SmallProgram("two sleep") { _ in
      let log = OverlapLog()
      async let first: Void = {
        Thread.sleep(until: Date(timeIntervalSinceNow: 0.002))
        log.add("1")
      }()
      async let second: Void = {
        Thread.sleep(forTimeInterval: 0.002)
        log.add("2")
      }()
      _ = await (first, second)
      return log.text
    }
    let (reduced, report) = program.allOutcomes(.reduced)
    #expect(reduced == ["1 2", "2 1"])
    #expect(report.coverage != nil, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `the loser of a group is canceled or has ended`() {
    check(["slept slept", "slept canceled"]) { _ in
      await withTaskGroup(of: String.self) { group in
        for _ in 0..<2 { group.addTask { await Self.sleep(5) } }
        let first = await group.next() ?? ""
        group.cancelAll()
        return "\(first) \(await group.next() ?? "")"
      }
    }
  }

  @Test func `delayed work of a queue may cancel a sleep that is due with it`() {
    check(["slept", "canceled"]) { _ in
      let task = Task { await Self.sleep(2) }
      let queue = DispatchQueue(label: "later")
      await withCheckedContinuation { continuation in
        queue.asyncAfter(deadline: .now() + .milliseconds(2)) {
          task.cancel()
          continuation.resume()
        }
      }
      return await task.value
    }
  }

  @Test func `three sleepers that cancel each other leave any one of them, or several`() {
    check(["100", "010", "001", "110", "101", "011", "111"]) { _ in
      let all = Sleepers()
      let tasks = (0..<3).map { number in
        Task {
          let slept = await Self.sleep(1) == "slept"
          if slept { all.cancel(except: number) }
          return slept ? "1" : "0"
        }
      }
      all.set(tasks)
      var text = ""
      for task in tasks { text += await task.value }
      return text
    }
  }

  @Test func `the end of a sleep that was canceled is no candidate any longer`() {
    let ends = EndsOfSleeps()
    let program = SmallProgram("canceled") { _ in
      let task = Task { await Self.sleep(2) }
      try? await Task.sleep(for: .milliseconds(2))
      task.cancel()
      return await task.value
    }
    #expect(program.outcomes(ends, schedules: 4).outcomes.contains("canceled"))
    let seen = ends.seen.withLock { $0 }
    #expect(seen.prefix(2) == ["offered", "withdrew"])
    #expect(!seen.contains("took"))
  }

  @Test func `sleeps that nothing cancels cost the reduced search next to nothing`() {
    let program = SmallProgram("six sleepers") { _ in
      let tasks = (0..<6).map { _ in Task { await Self.sleep(1) } }
      var text = ""
      for task in tasks { text += await task.value }
      return text
    }
    let report = program.outcomes(.reduced).report
    #expect(report.coverage == .everyBehavior)
    #expect(report.coveredSchedules < 16, "\(report.coveredSchedules)")
  }

  @Test func `a sleep that nothing is due with takes no choice`() {
    let tapes = Tapes()
    let program = SmallProgram("alone") { _ in
      let task = Task { await Self.sleep(2) }
      try? await Task.sleep(for: .milliseconds(1))
      task.cancel()
      return await task.value
    }
    #expect(program.outcomes(.exhaustive, into: tapes).outcomes == ["canceled"])
  }

  @Test func `the natural order ends all sleeps that are due before anything runs`() throws {
    let body: @Sendable (Simulation) async -> Void = { _ in
      let task = Task { await Self.sleep(2) }
      try? await Task.sleep(for: .milliseconds(2))
      task.cancel()
      let value = await task.value
      #expect(value == "slept")
    }
    var explorer = Explorer(name: "natural", body: body)
    explorer.budget.schedules = 1
    #expect(explorer.explore().violations.isEmpty)
  }

  @Test func `a report says whose sleep ended last`() throws {
    struct TooLate: Error {}
    var explorer = Explorer(name: "late") { _ in
      let task = Task(name: "sleeper") { await Self.sleep(2) }
      try? await Task.sleep(for: .milliseconds(2))
      task.cancel()
      if await task.value == "canceled" { throw TooLate() }
    }
    explorer.budget.schedules = 200
    let report = explorer.explore()
    let violation = try #require(report.violations.first)
    #expect(violation.token.schedule.deviations.count == 1)
    #expect("\(violation)".contains("the sleep of"))
  }
}

/// Lets each sleep lose its tie, then takes what came first, and notes what becomes of the ends of sleeps.
private struct EndsOfSleeps: Strategies.CandidateObserver {
  let seen = Simulator.Guarded<[String]>([])

  var followsCandidates: Bool { true }

  mutating func began(_ number: Int, seed: UInt64) {}
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    .option(point.kind == .tie && point.position > 0 ? 1 : 0)
  }
  mutating func ended(_ summary: Strategies.ExecutionSummary) {}
  mutating func offered(_ candidate: Strategies.Candidate) { note("offered", candidate) }
  mutating func withdrew(_ candidate: Strategies.Candidate) { note("withdrew", candidate) }
  mutating func took(_ candidate: Strategies.Candidate) { note("took", candidate) }

  private func note(_ word: String, _ candidate: Strategies.Candidate) {
    guard candidate.kind == .sleepEnd else { return }
    seen.withLock { $0.append(word) }
  }
}

private final class Sleepers: Sendable {
  private let tasks = Mutex<[Task<String, Never>]>([])

  func set(_ all: [Task<String, Never>]) { tasks.withLock { $0 = all } }

  func cancel(except number: Int) {
    for (index, task) in tasks.withLock({ $0 }).enumerated() where index != number { task.cancel() }
  }
}
