import Simulator
import Testing
import XCTest

/// Simulations inside XCTest.
final class XCTestFacts: XCTestCase {
  func testExploresFromAMethod() {
    let report = explore("race", Tokens.race)
    XCTAssertEqual(report.violations.map(\.invariant), ["no lost update"])
  }

  func testExploresFromAnAsyncMethod() async {
    await Task.yield()
    let report = explore("race", Tokens.race)
    XCTAssertEqual(report.violations.map(\.invariant), ["no lost update"])
    await Task.yield()
  }

  @MainActor func testExploresFromTheMainActor() async {
    await Task.yield()
    let report = explore("race", Tokens.race)
    XCTAssertEqual(report.violations.map(\.invariant), ["no lost update"])
    MainActor.assertIsolated()
    await Task.yield()
    MainActor.assertIsolated()
  }
}

/// Simulations side by side, from everywhere.
@Suite struct `Side by side` {
  @Test(arguments: 0..<8) func `simulations on several threads do not see each other`(_ number: Int) async {
    for _ in 0..<5 {
      let report = exhaust(schedules: 100, Tokens.race)
      #expect(report.violations.map(\.message) == ["one is lost"])
      #expect(report.schedules == 100)
      #expect(report.violations.first?.token.description == Self.token)
      await Task.yield()
    }
  }

  static let token = explore("race", Tokens.race).violations.first?.token.description

  @Test(arguments: 0..<8) func `ordinary async tests go on beside them`(_ number: Int) async throws {
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<200 {
        group.addTask {
          await counter.increment()
          await Task.yield()
        }
      }
    }
    #expect(await counter.value == 200)
    try await Task.sleep(for: .milliseconds(1))
    await MainActor.run { MainActor.assertIsolated() }
  }

  @MainActor @Test func `a simulation runs on the real main actor, with its own inside`() async {
    let execution = simulate { _ in
      await MainActor.run { MainActor.assertIsolated() }
      await Task { @MainActor in await Task.yield() }.value
    }
    #expect(execution.violations.isEmpty)
    MainActor.assertIsolated()
  }

  @Test func `the caller's priority does not change what happens`() async {
    let digests = await withTaskGroup(of: UInt64.self) { group in
      for priority in [TaskPriority.background, .low, .medium, .high] {
        group.addTask(priority: priority) {
          exhaust(schedules: 30) { _ in
            let counter = Counter()
            async let first: Void = counter.increment()
            let second = Task(priority: .low) { await counter.increment() }
            await first
            await second.value
            if await counter.value == 2 { Simulation.current?.fail("seen", "to have a token") }
          }.violations.first?.trace.digest ?? 0
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(digests.count == 1)
  }

  private func prioritiesAnytime() -> Set<Int> {
    outcomes(schedules: 20) { simulation in
      await withCheckedContinuation { continuation in
        simulation.anytime { Task { continuation.resume(returning: Int(Task.currentPriority.rawValue)) } }
      }
    }
  }

  @Test(arguments: [TaskPriority.background, .medium, .high])
  func `a task that is begun anytime is of medium priority in every task`(priority: TaskPriority) async {
    #expect(
      await Task(priority: priority) { prioritiesAnytime() }.value == [Int(TaskPriority.medium.rawValue)])
  }

  @MainActor @Test func `a task that is begun anytime is of medium priority on the main thread`() {
    #expect(prioritiesAnytime() == [Int(TaskPriority.medium.rawValue)])
  }
}
