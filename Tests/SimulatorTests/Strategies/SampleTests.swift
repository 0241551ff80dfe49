import Foundation
import Simulator
import Synchronization
import Testing

@Suite struct `What a reduced search does not see` {
  /// Whoever signals resumes the waiter, and forgets that it has: the second signal resumes it again.
  @safe private final class Turnstile: Sendable {
    @unsafe private struct State: Sendable {
      var isOpen = false
      // Unsafe, because a checked one ends the process where it is resumed twice.
      var waiter: UnsafeContinuation<Void, Never>?
    }
    private let state = unsafe Mutex(State())

    func wait() async {
      await unsafe withUnsafeContinuation { continuation in
        let isOpen = unsafe state.withLock { state in
          if unsafe !state.isOpen { unsafe state.waiter = continuation }
          return unsafe state.isOpen
        }
        if isOpen { unsafe continuation.resume() }
      }
    }

    func signal() {
      let waiter = unsafe state.withLock { state in
        unsafe state.isOpen = true
        return unsafe state.waiter
      }
      unsafe waiter?.resume()
    }
  }

  private final class Count: Sendable {
    let value = Mutex(0)
  }

  @Test func `a random schedule finds the double resume of a semaphore behind a mutex`() {
    let report = explore(schedules: 1_000, strategy: .reduced) { _ in
      let turnstile = Turnstile()
      Task { turnstile.signal() }
      Task { turnstile.signal() }
      Task {
        await turnstile.wait()
        // It lives on, so that the second signal reaches no memory that is gone.
        try await Task.sleep(for: .seconds(1))
      }
    }
    #expect(report.hasViolation(of: Invariant.BuiltIn.continuationResumedTwice))
    #expect(report.coverage == nil)
    #expect(
      report.incompleteCoverageText?.contains("a random schedule showed a behavior that the reduction lacks")
        == true)
  }

  @Test func `a random schedule that behaves as none before fails the claim`() {
    let report = explore(schedules: 1_000, strategy: .reduced) { _ in
      let count = Count()
      Task { count.value.withLock { $0 += 1 } }
      Task { if count.value.withLock({ $0 }) == 0 { await Task.yield() } }
    }
    #expect(report.holds)
    #expect(report.coverage == nil)
    #expect(
      report.incompleteCoverageText?.contains("a random schedule showed a behavior that the reduction lacks")
        == true)
  }

  @Test func `twenty random schedules follow a search that lacks nothing, within the budget`() {
    let report = explore(schedules: 1_000, strategy: .reduced) { _ in
      let cell = Cell()
      for _ in 0..<2 { Task { await increment(cell) } }
    }
    #expect(report.coverage == .everyBehavior)
    #expect((report.coveredSchedules, report.sampledSchedules, report.schedules) == (6, 20, 26))
    #expect(report.coverageText.contains("; 20 random schedules showed no other"))
    let short = explore(schedules: 6, strategy: .reduced) { _ in
      let cell = Cell()
      for _ in 0..<2 { Task { await increment(cell) } }
    }
    #expect((short.coveredSchedules, short.sampledSchedules, short.schedules) == (6, 0, 6))
  }

  @Test func `a lock that calls out withdraws a claim of whole steps`() {
    let options = Simulation.Options(steps: .atomic)
    let report = explore(schedules: 100, strategy: .reduced, options: options) { _ in
      let lock = NSLock()
      let tasks = (0..<2).map { _ in Task { lock.withLock {} } }
      for task in tasks { await task.value }
    }
    #expect(report.coverage == nil)
    #expect(report.incompleteCoverageText?.contains("state is shared through `NSLock`") == true)
  }

  @Test func `a lock behind which the accesses are declared does not`() {
    let report = explore(schedules: 100, strategy: .reduced) { _ in
      let lock = NSLock()
      let tasks = (0..<2).map { _ in
        Task {
          Simulation.current?.declareAccess(to: "state")
          lock.withLock {}
        }
      }
      for task in tasks { await task.value }
    }
    #expect(report.coverage == .everyBehavior)
  }

  @Test func `a change of a task's priority withdraws the claim`() {
    let report = explore(schedules: 100, strategy: .reduced) { _ in
      let task = Task { await Task.yield() }
      task.escalatePriority(to: .high)
      await task.value
    }
    #expect(report.coverage == nil)
    #expect(report.incompleteCoverageText?.contains("`escalatePriority`") == true)
  }
}
