import Foundation
import Simulator
import Synchronization
import Testing

/// Steps that go round until others have changed something, and let them.
@Suite struct `Threads that yield` {
  enum Yield: CaseIterable, Sendable {
    case yields, sleepsForNothing, usleepsForNothing, usleeps, nanosleeps

    func callAsFunction() {
      switch self {
      case .yields: sched_yield()
      case .sleepsForNothing: Thread.sleep(forTimeInterval: 0)
      case .usleepsForNothing: usleep(0)
      case .usleeps: usleep(1_000)
      case .nanosleeps:
        var time = timespec(tv_sec: 0, tv_nsec: 0)
        _ = unsafe nanosleep(&time, nil)
      }
    }
  }

  private func search(
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) -> Explorer.Report { explore("polls", schedules: 30, body) }

  @Test(arguments: Yield.allCases) func `let another take the lock that they poll`(_ yield: Yield) {
    let report = search { _ in
      let (lock, flag) = (NSLock(), Flag())
      let waits = Task.detached { while !lock.withLock({ flag.isUp }) { yield() } }
      let sets = Task.detached { lock.withLock { flag.isUp = true } }
      _ = await (waits.value, sets.value)
    }
    #expect(report.violations.map(\.message) == [])
    #expect(report.hasPreemptibleSteps)
  }

  @Test(arguments: Yield.allCases) func `let another write what they read without a lock`(_ yield: Yield) {
    let report = search { _ in
      let flag = Flag()
      let waits = Task.detached { while !flag.isUp { yield() } }
      let sets = Task.detached { flag.isUp = true }
      _ = await (waits.value, sets.value)
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test(arguments: Yield.allCases) func `let time pass`(_ yield: Yield) {
    let report = search { _ in
      let flag = GuardedFlag()
      let waits = Task.detached { while !flag.isUp { yield() } }
      let sets = Task.detached {
        try? await Task.sleep(for: .seconds(1))
        flag.raise()
      }
      _ = await (waits.value, sets.value)
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `need not yield where they take a lock all the time`() {
    let report = search { _ in
      let (lock, flag) = (NSLock(), Flag())
      let waits = Task.detached { while !lock.withLock({ flag.isUp }) {} }
      let sets = Task.detached { lock.withLock { flag.isUp = true } }
      _ = await (waits.value, sets.value)
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `may do so some times where steps are whole`() {
    let report = explore("yields", schedules: 3, options: Simulation.Options(steps: .atomic)) { _ in
      for _ in 0..<500 { sched_yield() }
    }
    #expect(report.violations.map(\.message) == [])
  }
}

private final class Flag: @unchecked Sendable {
  // @unchecked Sendable because one step of a simulation runs at a time.
  var isUp = false
}

private final class GuardedFlag: Sendable {
  private let state = Mutex(false)
  var isUp: Bool { state.withLock { $0 } }
  func raise() { state.withLock { $0 = true } }
}
