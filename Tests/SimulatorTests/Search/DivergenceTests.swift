import Dispatch
import Foundation
import Simulator
import Synchronization
import Testing

/// A replay that leaves its recording says where; a program that does not repeat itself says what differed.
@Suite struct `Leaving a recording` {
  @Sendable private static func twoTasks(_ simulation: Simulation) async throws {
    let counter = Counter()
    async let first: Void = counter.increment()
    async let second: Void = counter.increment()
    _ = await (first, second)
  }

  private func replay(_ schedule: Schedule) -> Explorer.Divergence? {
    let token = Schedule.Token(schedule: schedule, digest: 0)
    return Explorer(name: "test", body: Self.twoTasks).replay(token).divergence
  }

  @Test func `another number of options is reported with the step, the task and the usual causes`() throws {
    let divergence = try #require(replay(Schedule(deviations: [.init(position: 1, taken: 6, options: 7)])))
    #expect(divergence.difference == .options(position: 1, expected: 7, found: 2))
    #expect(divergence.description.contains("it had come as far as step 2 at 0 s: task 1 on pool"))
    #expect(divergence.description.contains("usual causes: the program has changed"))
  }

  @Test func `a replay that ends early tells its last step`() throws {
    let divergence = try #require(replay(Schedule(deviations: [.init(position: 99, taken: 1, options: 2)])))
    guard case .endedEarly(99, _) = divergence.difference else {
      Issue.record("\(divergence.difference)")
      return
    }
    #expect(divergence.lastStep?.contains("root on pool") == true)
    #expect(divergence.lastStep?.contains("DivergenceTests.swift:") == true)
  }

  @Test func `another trace tells how far the recorded deviations were met`() throws {
    let token = Schedule.Token(
      schedule: Schedule(deviations: [.init(position: 0, taken: 1, options: 2)]), digest: 0)
    let explorer = Explorer(name: "test") { simulation in
      try await Self.twoTasks(simulation)
      simulation.fail("nothing", "something")
    }
    let divergence = try #require(explorer.replay(token).divergence)
    #expect(divergence.description.contains("the last recorded deviation was met after step 1"))
  }

  @Test
  func `a program that does not repeat itself is reported with its first event that differs, and the line`()
    throws
  {
    let runs = Atomic(0)
    let report = explore { simulation in
      let counter = Counter()
      await counter.increment()
      if runs.wrappingAdd(1, ordering: .relaxed).newValue.isMultiple(of: 2) { await Task.yield() }
      await counter.increment()
      simulation.record(.note("done"))
    }
    let violation = try #require(report.violations.first { $0.invariant == Invariant.BuiltIn.nondeterminism })
    #expect(violation.diagnosis == .nondeterminism)
    #expect(violation.message.contains("both agree for "))
    #expect(violation.message.contains("DivergenceTests.swift:"))
    #expect(violation.message.contains("then the one "))
  }

  @Test func `state that an earlier execution has left behind is reported as such`() throws {
    let runs = Atomic(0)
    let report = explore { simulation in
      await Task.yield()
      // Fails once, behind the three runs that come before the search.
      if runs.wrappingAdd(1, ordering: .relaxed).newValue == 4 { simulation.fail("never", "kept") }
    }
    let violation = try #require(report.violations.first { $0.invariant == Invariant.BuiltIn.nondeterminism })
    #expect(violation.message.contains("later executions agree with each other"))
  }

  @Test func `work that comes back from a thread that was there before tells whose it was, and the line`()
    throws
  {
    let before = LookingThread()
    var options = Simulation.Options()
    options.foreignThreadTimeout = .seconds(60)
    let report = explore(schedules: 3, options: options) { _ in
      await withCheckedContinuation { continuation in before.submit { continuation.resume() } }
    }
    before.end()
    let violation = try #require(report.violations.first)
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
    #expect(violation.message.contains("root at "))
    #expect(violation.message.contains("DivergenceTests.swift:"))
  }
}
