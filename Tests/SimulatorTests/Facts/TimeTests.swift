import Dispatch
import Foundation
import Simulator
import Testing

/// Every clock is virtual, every sleep waits in virtual time.
@Suite struct `Time` {
  enum Sleep: CaseIterable, Sendable {
    case `for`, forSuspending, nanoseconds, until, untilSuspending, clock, suspendingClock

    /// Sleeps for two seconds.
    func run() async throws {
      switch self {
      case .for: try await Task.sleep(for: .seconds(2))
      case .forSuspending: try await Task.sleep(for: .seconds(2), clock: SuspendingClock())
      case .nanoseconds: try await Task.sleep(nanoseconds: 2_000_000_000)
      case .until: try await Task.sleep(until: .now + .seconds(2), clock: .continuous)
      case .untilSuspending: try await Task.sleep(until: .now + .seconds(2), clock: .suspending)
      case .clock: try await ContinuousClock().sleep(for: .seconds(2))
      case .suspendingClock:
        try await SuspendingClock().sleep(until: .now + .seconds(2), tolerance: .seconds(1))
      }
    }
  }

  actor Sleeper {
    func sleep(_ sleep: Sleep) async throws { try await sleep.run() }
  }

  @Test(arguments: Sleep.allCases) func `a sleep takes its time, wherever it is slept`(_ sleep: Sleep) {
    let pool = simulate { _ in try await sleep.run() }
    let actor = simulate { _ in try await Sleeper().sleep(sleep) }
    let main = simulate { _ in try await Task { @MainActor in try await sleep.run() }.value }
    for execution in [pool, actor, main] {
      #expect(execution.endTime == VirtualInstant(nanoseconds: 2_000_000_000))
      #expect(execution.violations.isEmpty)
    }
  }

  @Test(arguments: Sleep.allCases)
  func `twenty thousand sleeps that begin at one moment end at one moment, and no step is left for them`(
    _ sleep: Sleep
  ) {
    var explorer = Explorer(name: "sleepers") { simulation in
      await withTaskGroup { group in
        for _ in 0..<20_000 { group.addTask { try? await sleep.run() } }
      }
      if simulation.now != VirtualInstant(nanoseconds: 2_000_000_000) {
        simulation.fail("on time", "ended at \(simulation.now)")
      }
    }
    explorer.checksDeterminism = false
    explorer.budget.schedules = 1
    let report = explorer.explore()
    #expect(report.violations.isEmpty)
    #expect(!report.hasPreemptibleSteps)
  }

  @Test(arguments: Sleep.allCases) func `a cancelled sleep ends at once`(_ sleep: Sleep) {
    let execution = simulate { simulation in
      let task = Task { try await sleep.run() }
      try await Task.sleep(for: .seconds(1))
      task.cancel()
      _ = await task.result
      #expect(simulation.now == VirtualInstant(nanoseconds: 1_000_000_000))
    }
    #expect(execution.violations.isEmpty)
  }

  @Test func `sleepers wake in the order of their deadlines, those due together in any`() {
    let seen = outcomes { _ in
      let log = Log<Int>()
      await withTaskGroup { group in
        for (number, seconds) in [(1, 3), (2, 1), (3, 2), (4, 2)] {
          group.addTask {
            try? await Task.sleep(for: .seconds(seconds))
            log.append(number)
          }
        }
      }
      return log.all
    }
    #expect(seen == [[2, 3, 4, 1], [2, 4, 3, 1]])
  }

  @Test func `the standard clocks move with virtual time alone`() {
    let execution = simulate { _ in
      let start = (ContinuousClock.now, SuspendingClock.now)
      for _ in 0..<1_000 { await Task.yield() }
      #expect(start.0 == ContinuousClock.now)
      try await Task.sleep(for: .milliseconds(1500))
      #expect(start.0.duration(to: .now) == .milliseconds(1500))
      #expect(start.1.duration(to: .now) == .milliseconds(1500))
      let elapsed = try await ContinuousClock().measure { try await Task.sleep(for: .nanoseconds(7)) }
      #expect(elapsed == .nanoseconds(7))
    }
    #expect(execution.violations.isEmpty)
  }

  @Test func `dates, formatters and calendars follow`() {
    _ = simulate { _ in
      let start = Date()
      #expect(start.timeIntervalSince1970 == 1_767_225_600)
      try await Task.sleep(for: .seconds(40 * 3600))
      #expect(Date().timeIntervalSince(start) == 144_000)
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = "yyyy-MM-dd HH:mm"
      #expect(formatter.string(from: Date()) == "2026-01-02 16:00")
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = TimeZone(secondsFromGMT: 0)!
      #expect(calendar.component(.day, from: .now) == 2)
      #expect(calendar.isDateInToday(start) == false)
    }
  }

  @Test func `the C library's clocks follow`() {
    _ = simulate { _ in
      var before = timeval()
      unsafe gettimeofday(&before, nil)
      let seconds = time(nil)
      let uptime = ProcessInfo.processInfo.systemUptime
      let dispatch = DispatchTime.now()
      try await Task.sleep(for: .seconds(10))
      var after = timeval()
      unsafe gettimeofday(&after, nil)
      #expect(after.tv_sec - before.tv_sec == 10)
      #expect(time(nil) - seconds == 10)
      #expect(ProcessInfo.processInfo.systemUptime - uptime == 10)
      #expect(DispatchTime.now().uptimeNanoseconds - dispatch.uptimeNanoseconds == 10_000_000_000)
    }
  }

  @Test func `outside a simulation time is real`() async throws {
    let start = ContinuousClock.now
    _ = simulate { _ in try await Task.sleep(for: .seconds(3600)) }
    #expect(start.duration(to: .now) < .seconds(600))
    #expect(Date() != Date(timeIntervalSince1970: 1_767_225_600))
    try await Task.sleep(for: .milliseconds(1))
    #expect(start.duration(to: .now) >= .milliseconds(1))
  }

  @Test func `a sleep without end meets the time limit`() {
    let execution = simulate { _ in try await Task.sleep(for: .seconds(Int64.max)) }
    #expect(execution.ending == .timeLimit)
    #expect(execution.endTime == VirtualInstant(nanoseconds: 600_000_000_000))
    #expect(simulate { _ in try await Task.sleep(for: .seconds(-1)) }.endTime == .start)
  }

  @Test func `the timer of a cancelled sleep delays nothing`() {
    let execution = simulate { _ in
      let sleeper = Task { try? await Task.sleep(for: .seconds(5)) }
      try await Task.sleep(for: .seconds(2))
      sleeper.cancel()
    }
    #expect(execution.ending == .finished)
    #expect(execution.endTime == VirtualInstant(nanoseconds: 2_000_000_000))
  }

  @Test func `a sleep after a cancelled one is slept to its end`() {
    let execution = simulate { _ in
      let sleeper = Task {
        try? await Task.sleep(for: .seconds(5))
        await Task { try? await Task.sleep(for: .seconds(1)) }.value
      }
      try await Task.sleep(for: .seconds(2))
      sleeper.cancel()
      await sleeper.value
    }
    #expect(execution.endTime == VirtualInstant(nanoseconds: 3_000_000_000))
  }
}
