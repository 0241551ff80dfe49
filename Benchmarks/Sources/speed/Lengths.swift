import Foundation
import Simulator

/// What a step costs in long executions and among many tasks and timers, as a ratio to the same strategy among a hundred.
///
/// Processor time of an execution by its steps, of which each task takes so many that making it counts for little.
enum Lengths {
  private struct Program {
    let title: String
    let tasks: Int
    let rounds: Int
    let body: @Sendable (_ tasks: Int, _ rounds: Int) async -> Void
  }

  private static let yieldingPrograms = [
    Program(title: "100", tasks: 100, rounds: 100, body: yielding),
    Program(title: "100, 10⁶ steps", tasks: 100, rounds: 10_000, body: yielding),
    Program(title: "10⁴", tasks: 10_000, rounds: 100, body: yielding),
    Program(title: "10⁵", tasks: 100_000, rounds: 30, body: yielding),
  ]
  private static let sleeping = [
    Program(title: "100", tasks: 100, rounds: 100, body: ticking),
    Program(title: "10⁴", tasks: 10_000, rounds: 100, body: ticking),
    Program(title: "10⁵", tasks: 100_000, rounds: 30, body: ticking),
  ]

  private static let unevenly = [
    Program(title: "100", tasks: 100, rounds: 100, body: tickingUnevenly),
    Program(title: "10⁴", tasks: 10_000, rounds: 100, body: tickingUnevenly),
    Program(title: "10⁵", tasks: 100_000, rounds: 30, body: tickingUnevenly),
  ]

  /// Of the strategies in `names`, or of all.
  static func print(_ names: [String]) {
    let strategies = Strategies.Named.all.filter {
      // The reduced search compares every pair of yields on the pool: it is not made for programs like these.
      $0.name != "reduced" && (names.isEmpty || names.contains($0.name))
    }
    print("yielding tasks alive", yieldingPrograms, strategies)
    print("sleeping tasks alive", sleeping, strategies)
    print("sleeping tasks alive, each with times of its own", unevenly, strategies)
  }

  private static func print(_ title: String, _ programs: [Program], _ strategies: [Strategies.Named]) {
    Swift.print("\nns of processor time a step, × the first column; \(title):")
    Swift.print(
      pad("", 14) + programs.map { String(repeating: " ", count: 24 - $0.title.count) + $0.title }.joined())
    for strategy in strategies {
      var first: Double?
      let columns = programs.map { program in
        let cost = cost(program, strategy)
        let base = first ?? cost
        first = base
        return String(format: "%16.0f ×%6.2f", cost, cost / base)
      }
      Swift.print(pad(strategy.name, 14) + columns.joined())
    }
  }

  /// The faster of two measurements.
  private static func cost(_ program: Program, _ strategy: Strategies.Named) -> Double {
    let times = [seconds(program, program.rounds, strategy), seconds(program, program.rounds, strategy)]
    return (times.min() ?? 0) * 1e9 / Double(program.tasks * program.rounds)
  }

  /// The second of two executions: the first is in the natural order under every strategy.
  private static func seconds(_ program: Program, _ rounds: Int, _ strategy: Strategies.Named) -> Double {
    var options = Simulation.Options(patience: .zero)
    options.timeLimit = .seconds(10_000_000)
    options.stepsAtOneInstant = .max
    let began = Moments()
    var explorer = Explorer(name: strategy.name, options: options) { _ in
      began.add()
      await program.body(program.tasks, rounds)
    }
    explorer.checksDeterminism = false
    explorer.strategy = strategy.make()
    explorer.budget.stopsAfter = nil
    explorer.budget.schedules = 2
    _ = explorer.explore()
    return Double(clock() - began.last) / Double(CLOCKS_PER_SEC)
  }

  private static func pad(_ text: String, _ length: Int) -> String {
    text.padding(toLength: length, withPad: " ", startingAt: 0)
  }

  private final class Moments: @unchecked Sendable {
    // @unchecked Sendable because one thread runs the executions and reads this after them.
    private(set) var last = clock()
    func add() { last = clock() }
  }
}

// Unstructured tasks: the runtime looks through all children of a group when one of them ends, which is quadratic where a
// hundred thousand end in an order drawn by chance.

@Sendable private func yielding(tasks: Int, rounds: Int) async {
  await all(tasks) { _ in for _ in 0..<rounds { await Task.yield() } }
}

@Sendable private func ticking(tasks: Int, rounds: Int) async {
  await all(tasks) { _ in for _ in 0..<rounds { try? await Task.sleep(for: .seconds(1)) } }
}

/// Each sleeps for times of its own.
@Sendable private func tickingUnevenly(tasks: Int, rounds: Int) async {
  await all(tasks) { number in
    for round in 0..<rounds {
      try? await Task.sleep(for: .nanoseconds(1_000_000_000 + number * 7_919 % 10_007 * 1_000 + round))
    }
  }
}

private func all(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) async {
  let tasks = (0..<count).map { number in Task { await body(number) } }
  for task in tasks { await task.value }
}
