import Foundation
import Simulator
import Synchronization
import Testing

/// A clock stands still at an instant of virtual time. A real one does not.
@Suite struct `Reads of a clock at one instant` {
  @Test(arguments: Reads.all) func `make no failure that a nanosecond between them would prevent`(
    _ reads: Reads
  ) {
    let report = explored { simulation in
      if await reads.areEqual() { simulation.fail("time passes", "no time has passed") }
    }
    #expect(report.violations.map(\.message) == [])
    #expect(
      report.warnings == [
        "not reported: time passes is violated only if two reads of the clock return the same nanosecond"
      ])
  }

  @Test func `make a failure that a nanosecond between them would not prevent`() {
    let report = explored { simulation in
      let start = ContinuousClock.now
      if ContinuousClock.now - start < .milliseconds(1) { simulation.fail("slow", "too fast") }
    }
    #expect(report.violations.map(\.invariant) == ["slow"])
    #expect(report.warnings == [])
  }

  /// A `Date` counts seconds from 2001 as a `Double`: on a machine, two of them soon after one another are equal too.
  @Test func `make a failure where they are equal on a machine`() {
    let report = explored { simulation in
      if Date() == Date() { simulation.fail("unique", "two equal stamps") }
    }
    #expect(report.violations.map(\.invariant) == ["unique"])
  }

  @Test func `agree with sleeps exactly`() {
    let report = explored { simulation in
      let start = ContinuousClock.now
      try? await Task.sleep(for: .seconds(5))
      if ContinuousClock.now - start != .seconds(5) { simulation.fail("exact", "not five seconds") }
    }
    #expect(report.violations.map(\.message) == [])
    #expect(report.warnings == [])
  }

  /// Option 1 fails for want of a nanosecond, and option 2 fails.
  @Test func `hide no failure of another schedule, and none is made smaller to one of them`() {
    let report = explored { simulation in
      let option = simulation.choose(among: [0, 1, 2])
      let start = ContinuousClock.now
      if option == 2 || option == 1 && ContinuousClock.now == start { simulation.fail("odd", "\(option)") }
    }
    #expect(report.violations.map(\.message) == ["2"])
  }

  /// With a nanosecond between the reads, the block is due after the yields.
  @Test func `hide no failure of a schedule that a nanosecond would make another one`() {
    let report = explored { simulation in
      let order = Mutex("")
      _ = DispatchTime.now()
      DispatchQueue.global().asyncAfter(deadline: .now()) { order.withLock { $0 += "b" } }
      for _ in 1...3 { await Task.yield() }
      order.withLock { $0 += "c" }
      let found = order.withLock(\.self)
      if found.hasPrefix("b") { simulation.fail("b comes first", found) }
    }
    #expect(report.violations.map(\.invariant) == ["b comes first"])
  }

  /// The first executions fail: the one that finds it, its replays, and no more.
  @Test(arguments: 1...6) func `are not blamed where the program keeps state`(failures: Int) {
    let runs = Mutex(0)
    let report = explored { simulation in
      _ = (ContinuousClock.now, ContinuousClock.now)
      let run = runs.withLock { count in
        count += 1
        return count
      }
      if run <= failures { simulation.fail("early", "fails") }
    }
    #expect(!report.warnings.contains { $0.contains("nanosecond") })
    #expect(!report.violations.isEmpty)
  }

  @Test func `are one instant for a failure that no clock decides`() {
    let report = explored { simulation in
      _ = (ContinuousClock.now, ContinuousClock.now)
      simulation.fail("always", "fails")
    }
    #expect(report.violations.map(\.invariant) == ["always"])
    #expect(report.warnings == [])
  }

  private func explored(_ body: @escaping @Sendable (Simulation) async -> Void) -> Explorer.Report {
    var explorer = Explorer(name: "clocks", body: body)
    explorer.budget.schedules = 100
    return explorer.explore()
  }
}

/// Two reads of a clock.
struct Reads: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let areEqual: @Sendable () async -> Bool

  init(_ description: String, areEqual: @escaping @Sendable () async -> Bool) {
    (testDescription, self.areEqual) = (description, areEqual)
  }

  static let all = [
    Reads("ContinuousClock") { ContinuousClock.now == ContinuousClock.now },
    Reads("SuspendingClock") { SuspendingClock.now == SuspendingClock.now },
    Reads("DispatchTime") { DispatchTime.now() == DispatchTime.now() },
    Reads("ContinuousClock.measure") { ContinuousClock().measure {} == .zero },
    Reads("the clock of the processor") {
      clock_gettime_nsec(CLOCK_PROCESS_CPUTIME_ID) == clock_gettime_nsec(CLOCK_PROCESS_CPUTIME_ID)
    },
    Reads("before and after a suspension") {
      let start = ContinuousClock.now
      await Task.yield()
      return ContinuousClock.now == start
    },
    Reads("in two tasks") {
      async let one = ContinuousClock.now
      async let other = ContinuousClock.now
      return await one == other
    },
    Reads("later, after a sleep") {
      try? await Task.sleep(for: .seconds(1))
      return ContinuousClock.now == ContinuousClock.now
    },
  ]
}

private func clock_gettime_nsec(_ clock: clockid_t) -> Int {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
