import CThreads
import Foundation
import Synchronization

/// Runs programs on the real runtime.
enum RealRuns {
  /// The outcomes of `count` runs with pauses, some of them side by side.
  static func outcomes(of program: Program, count: Int) throws(Hang) -> Set<String> {
    var outcomes: Set<String> = []
    var left = count
    defer { threads_held_back(0) }
    while left > 0 {
      threads_held_back(left % 4 == 0 ? 8 : 0)
      let batch = min(left, program.isTimed ? 8 : [1, 2, 4].randomElement() ?? 1)
      let pacers = (0..<batch).map { _ in Pauses(isTimed: program.isTimed) }
      outcomes.formUnion(try run(program, pacers))
      left -= batch
    }
    return outcomes
  }

  /// Whether an outcome comes about even where a unit of time is so long that nothing is slow beside it.
  static func comesSlowly(_ outcome: String, of program: Program) throws(Hang) -> Bool {
    for _ in 0..<10 {
      let pacers = (0..<16).map { _ in Pauses(isTimed: true, unit: Pauses.unit * 10) }
      if try run(program, pacers).contains(outcome) { return true }
    }
    return false
  }

  /// Whether the real runtime comes to `outcome` when its threads are held back in one of `orders`.
  static func confirm(
    _ outcome: String, of program: Program, orders: [[Int]], attempts: Int
  ) throws(Hang) -> Confirmation {
    defer { threads_held_back(0) }
    var best = ""
    var most = -1
    for attempt in 0..<attempts {
      let order = orders[attempt % orders.count]
      let departures: Directed.Departures =
        attempt < 2 * orders.count || attempt % 2 == 0 ? .late : .drawn(.random(in: 0...(.max)))
      // More patience with every attempt: the machine may be busy.
      let settling = 20 << (9 * attempt / attempts)
      let patience = Duration.milliseconds(15 + program.units * 12) + .microseconds(3 * settling)
      threads_held_back(attempt % 3 == 2 ? 5 : 0)
      let pacer = Directed(order, of: program, departures, settling: settling, patience: patience)
      defer {
        if pacer.reached > most {
          most = pacer.reached
          best = "\(order.prefix(most)) ‖ \(order.dropFirst(most))"
        }
      }
      let isReached = try run(program, [pacer]).contains { program.compared($0) == program.compared(outcome) }
      if isReached { return .reached }
    }
    return .stuck(best)
  }

  /// Whether the real runtime came to an outcome; if not, how far it followed an order at most.
  enum Confirmation {
    case reached
    case stuck(String)
  }

  /// A run that came to no end.
  struct Hang: Error {}

  private static func run(_ program: Program, _ pacers: [Pacer]) throws(Hang) -> Set<String> {
    let done = DispatchSemaphore(value: 0)
    let results = Results()
    for pacer in pacers {
      Task.detached(priority: .medium) {
        results.add(await program.outcome(pacer))
        done.signal()
      }
    }
    for _ in pacers {
      guard done.wait(timeout: .now() + 20) == .success else { throw Hang() }
    }
    return results.all
  }
}

private final class Results: Sendable {
  private let outcomes = Mutex<Set<String>>([])

  var all: Set<String> { outcomes.withLock { $0 } }

  func add(_ outcome: String) { outcomes.withLock { _ = $0.insert(outcome) } }
}
