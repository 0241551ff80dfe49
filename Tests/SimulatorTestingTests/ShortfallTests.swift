import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

@testable import SimulatorTestSupport

/// What a test says of a search that violates nothing and has left something open.
@Suite struct `What a search has left open` {
  private func remark(
    schedules: Int, strategy: any SchedulingStrategy = .reduced, exhaustiveDeviationBound: Int? = nil,
    steps: Simulation.Options.Steps = .asNeeded,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) -> String {
    let request = SearchRequest(
      schedules: schedules, seed: 0, strategy: strategy, exhaustiveDeviationBound: exhaustiveDeviationBound)
    var explorer = Explorer(name: "open", options: .init(steps: steps), body: body)
    request.configure(&explorer)
    return request.find(with: explorer).warning(on: request) ?? ""
  }

  private final class Count: Sendable {
    let value = Mutex(0)
  }

  @Test func `is cured by more schedules where they were too few`() {
    let remark = remark(schedules: 2) { _ in
      let account = Account()
      async let first: Void = account.withdraw(1)
      async let second: Void = account.withdraw(1)
      _ = await (first, second)
    }
    #expect(remark.contains("the search ended before that; raise `schedules`"))
  }

  @Test func `is not cured by more schedules where state is shared out of sight`() {
    let remark = remark(schedules: 1_000) { _ in
      let count = Count()
      Task { count.value.withLock { $0 += 1 } }
      Task { if count.value.withLock({ $0 }) == 0 { await Task.yield() } }
    }
    #expect(remark.contains("a random schedule showed a behavior that the reduction lacks"))
    #expect(
      remark.hasSuffix(
        "; declare each access by `Simulation.declareAccess(to:)`, or search by another strategy"))
  }

  @Test func `is not cured by more schedules where a lock shares state and steps are whole`() {
    let remark = remark(schedules: 100, steps: .atomic) { _ in
      let lock = NSLock()
      let tasks = (0..<2).map { _ in Task { lock.withLock {} } }
      for task in tasks { await task.value }
    }
    #expect(remark.contains("state is shared through `NSLock`"))
    #expect(
      remark.hasSuffix(
        "; declare each access by `Simulation.declareAccess(to:)`, or search by another strategy"))
  }

  @Test func `is not cured by more schedules where a priority was changed`() {
    let remark = remark(schedules: 100) { _ in
      let task = Task { await Task.yield() }
      task.escalatePriority(to: .high)
      await task.value
    }
    #expect(remark.contains("`escalatePriority`"))
    #expect(remark.hasSuffix("; search by another strategy"))
  }

  @Test func `is not cured by more schedules where a duration was chosen at once`() {
    let remark = remark(schedules: 1_000, strategy: Strategies.ExhaustiveDFS()) { simulation in
      let pause = simulation.choose(in: .zero ... .seconds(1))
      try await Task.sleep(for: pause)
    }
    #expect(
      remark.hasSuffix("; wait by `Simulation.sleep(in:)`, or name the durations by `choose(among:)`"))
  }
}
