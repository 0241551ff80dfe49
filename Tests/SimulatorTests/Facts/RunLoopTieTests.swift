import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// Timers of one run loop that are due together fire in any order. For real: three timers with one date fired in each of their six
/// orders in 250 runs, and three with one interval in two of them.
@Suite struct `Ties in a run loop` {
  private final class Timers: @unchecked Sendable {
    // @unchecked Sendable because only the main run loop uses it.
    var all: [Timer] = []
  }

  private static let all: Set = ["012", "021", "102", "120", "201", "210"]

  private func check(_ expected: Set<String>, _ body: @escaping @Sendable (Simulation) async -> String) {
    let program = SmallProgram("timers of a loop", body)
    #expect(program.outcomes(.portfolio, schedules: 500).outcomes == expected)
    #expect(program.outcomes(.reduced, schedules: 2_000).outcomes == expected)
  }

  @Test func `timers with one date`() {
    check(Self.all) { _ in
      await Self.orderOnMain { number, date, fired in
        Timer(fire: date, interval: 0, repeats: false) { _ in fired(number) }
      }
    }
  }

  @Test func `timers with one interval`() {
    check(Self.all) { _ in
      await Self.orderOnMain { number, _, fired in
        // It is on this run loop already, and the second time changes nothing.
        Timer.scheduledTimer(withTimeInterval: 0.3, repeats: false) { _ in fired(number) }
      }
    }
  }

  @Test func `timers of other instants keep their order`() {
    check(["012"]) { _ in
      await Self.orderOnMain { number, date, fired in
        Timer(fire: date.addingTimeInterval(Double(number) / 1_000), interval: 0, repeats: false) { _ in
          fired(number)
        }
      }
    }
  }

  @Test func `timers that repeat keep the order in which they have fired once`() {
    check(["010101", "101010"]) { _ in
      let log = Log<Int>()
      await MainActor.run {
        let date = Date(timeIntervalSinceNow: 0.3)
        for number in 0..<2 {
          let timer = Timer(fire: date, interval: 0.2, repeats: true) { timer in
            log.append(number)
            if log.all.count > 4 { timer.invalidate() }
          }
          RunLoop.main.add(timer, forMode: .default)
        }
      }
      try? await Task.sleep(for: .seconds(2))
      return log.all.map(String.init).joined()
    }
  }

  @Test func `a timer that another one ends does not fire`() {
    check(["0", "1"]) { _ in
      let log = Log<Int>()
      await MainActor.run {
        let (timers, date) = (Timers(), Date(timeIntervalSinceNow: 0.3))
        timers.all = (0..<2).map { number in
          Timer(fire: date, interval: 0, repeats: false) { timer in
            log.append(number)
            for other in timers.all where other !== timer { other.invalidate() }
          }
        }
        for timer in timers.all { RunLoop.main.add(timer, forMode: .default) }
      }
      try? await Task.sleep(for: .seconds(1))
      return log.all.map(String.init).joined()
    }
  }

  /// The order in which three timers on the main run loop fire.
  private static func orderOnMain(
    _ timer: @escaping @Sendable (Int, Date, @escaping @Sendable (Int) -> Void) -> Timer
  ) async -> String {
    let log = Log<Int>()
    await MainActor.run {
      let date = Date(timeIntervalSinceNow: 0.3)
      for number in 0..<3 {
        RunLoop.main.add(timer(number, date) { log.append($0) }, forMode: .default)
      }
    }
    try? await Task.sleep(for: .seconds(1))
    return log.all.map(String.init).joined()
  }
}
