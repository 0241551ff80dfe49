import Foundation
import Simulator
import SimulatorStrategies
import Testing

/// Steps that block for a time: `Thread.sleep`, `usleep` and what they call.
@Suite struct `Sleeps that block` {
  /// What every schedule comes to.
  private func outcomes(_ name: String, _ body: @escaping @Sendable () async -> String) -> Set<String> {
    let (found, report) = SmallProgram(name) { _ in await body() }.outcomes(
      Strategies.ExhaustiveDFS(), schedules: 50_000, options: Simulation.Options(steps: .preemptible))
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
    #expect(report.violations.isEmpty, "\(report.violations.map(\.message))")
    return found
  }

  @Test(arguments: Sleep.allCases) func `take virtual time, and others run meanwhile`(_ kind: Sleep) {
    let found = outcomes("one sleeps and one waits") {
      let (words, start) = (Spoken(), ContinuousClock.now)
      async let first: Void = {
        kind.sleep(seconds: 5)
        words.add("slept")
      }()
      async let second: Void = {
        try? await Task.sleep(for: .seconds(2))
        words.add("waited")
      }()
      _ = await (first, second)
      return "\(words.text) \(ContinuousClock.now - start)"
    }
    #expect(found == ["waited slept 5.0 seconds"])
  }

  @Test func `keep their actor closed`() {
    let found = outcomes("an actor that sleeps") {
      let sleeper = Sleeper()
      async let sleeps: Void = sleeper.sleeps()
      async let asks: Void = sleeper.isAsked()
      _ = await (sleeps, asks)
      return sleeper.words.text
    }
    #expect(found == ["sleeps slept asked after 1.0 seconds", "asked after 0.0 seconds sleeps slept"])
  }

  @Test func `raise the level by themselves, and let another end what is polled`() {
    let report = explore("a flag that is polled", schedules: 100) { _ in
      let flag = Spoken()
      async let sets: Void = {
        try? await Task.sleep(for: .milliseconds(50))
        flag.add("set")
      }()
      while flag.text.isEmpty { Sleep.usleep.sleep(seconds: 0.01) }
      await sets
    }
    #expect(report.violations.isEmpty, "\(report.violations.map(\.message))")
    #expect(report.hasPreemptibleSteps)
  }

  @Test func `show a bug between what is checked before and done after`() throws {
    let report = explore("checked, then slept") { simulation in
      let account = Account()
      async let first: Void = account.withdraw(80)
      async let second: Void = account.withdraw(80)
      _ = await (first, second)
      if account.balance < 0 { simulation.fail("never overdrawn", "the balance is \(account.balance)") }
    }
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == "never overdrawn")
    #expect(violation.token.schedule.deviations.isEmpty)
  }

  @Test func `of no time let others run, and end`() {
    let found = outcomes("sleeps of no time") {
      let words = Spoken()
      async let first: Void = {
        words.add("a")
        Sleep.usleep.sleep(seconds: 0)
        words.add("b")
      }()
      async let second: Void = { words.add("c") }()
      _ = await (first, second)
      return words.text
    }
    #expect(found == ["a b c", "a c b", "c a b"])
  }

  enum Sleep: CaseIterable, Sendable {
    case thread, nanosleep, clockNanosleep, untilInstant, usleep, sleep

    func sleep(seconds: Double) {
      let whole = Int(seconds)
      var time = timespec(tv_sec: whole, tv_nsec: Int((seconds - Double(whole)) * 1e9))
      switch self {
      case .thread: Thread.sleep(forTimeInterval: seconds)
      case .nanosleep: _ = unsafe Foundation.nanosleep(&time, nil)
      case .clockNanosleep: _ = unsafe clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil)
      case .untilInstant:
        var until = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &until)
        until.tv_sec += whole
        _ = unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nil)
      case .usleep: _ = Foundation.usleep(UInt32(seconds * 1e6))
      case .sleep: _ = Foundation.sleep(UInt32(seconds))
      }
    }
  }
}

private actor Sleeper {
  nonisolated let words = Spoken()
  private let start = ContinuousClock.now

  func sleeps() {
    words.add("sleeps")
    `Sleeps that block`.Sleep.usleep.sleep(seconds: 1)
    words.add("slept")
  }

  func isAsked() { words.add("asked after \(ContinuousClock.now - start)") }
}

private final class Account: @unchecked Sendable {
  // @unchecked Sendable because one step of a simulation runs at a time: what comes between two statements is the bug.
  private(set) var balance = 100

  @concurrent func withdraw(_ sum: Int) async {
    guard balance >= sum else { return }
    `Sleeps that block`.Sleep.thread.sleep(seconds: 0.1)
    balance -= sum
  }
}

private final class Spoken: @unchecked Sendable {
  // @unchecked Sendable because one step of a simulation runs at a time.
  private var words: [String] = []
  func add(_ word: String) { words.append(word) }
  var text: String { words.joined(separator: " ") }
}
