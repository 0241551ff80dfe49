import Foundation
import Simulator
import SimulatorStrategies
import Synchronization

/// What a schedule costs at each level of steps, as a ratio to whole steps of the same program in the same run.
enum Levels {
  private static let turns = 7
  private static let schedules = 3_000

  static func print() {
    let build = Simulation.followsAtomics ? "with the build flag" : "without the build flag"
    Swift.print(
      "\nlevels of steps, \(build): µs a schedule, × whole (medians of \(turns) turns, random search)")
    for program in programs { print(program) }
  }

  private static let programs: [(name: String, body: @Sendable () async -> Void)] = [
    ("two tasks, an actor", lostUpdate),
    ("two tasks, an NSLock", lostUpdateUnderLock),
    ("two tasks, an Atomic", lostUpdateOfAtomic),
  ]

  /// The levels take turns, because the machine's own speed changes.
  private static func print(_ program: (name: String, body: @Sendable () async -> Void)) {
    var costs: [Simulation.Options.Steps: [Double]] = [:]
    for _ in 0..<turns {
      for steps in Simulation.Options.Steps.allCases {
        costs[steps, default: []].append(cost(steps, program.body))
      }
    }
    Swift.print(program.name)
    let whole = median(costs[.atomic])
    for steps in [Simulation.Options.Steps.atomic, .asNeeded, .preemptible] {
      let cost = median(costs[steps])
      let name = "  \(steps.rawValue)".padding(toLength: 16, withPad: " ", startingAt: 0)
      Swift.print(name + String(format: "%8.1f %7.2f", cost, cost / whole))
    }
  }

  /// The update of a number that an actor owns, in so many schedules.
  static func run(_ count: Int, _ steps: Simulation.Options.Steps) {
    let done = explorer(steps, count, lostUpdate).explore().schedules
    Swift.print("\(done) schedules, steps \(steps.rawValue)")
  }

  private static func median(_ costs: [Double]?) -> Double { (costs ?? []).sorted()[turns / 2] }

  /// Microseconds a schedule.
  private static func cost(_ steps: Simulation.Options.Steps, _ body: @escaping @Sendable () async -> Void)
    -> Double
  {
    let explorer = explorer(steps, schedules, body)
    var done = 0
    let duration = ContinuousClock().measure { done = explorer.explore().schedules }
    return duration / .microseconds(done)
  }

  private static func explorer(
    _ steps: Simulation.Options.Steps, _ schedules: Int, _ body: @escaping @Sendable () async -> Void
  ) -> Explorer {
    let options = Simulation.Options(foreignThreadTimeout: .zero, steps: steps)
    var explorer = Explorer(name: steps.rawValue, options: options) { _ in await body() }
    explorer.checksDeterminism = false
    explorer.strategy = Strategies.RandomWalk()
    explorer.budget.violationsToFind = nil
    explorer.budget.schedules = schedules
    return explorer
  }
}

private final class LockedNumber: @unchecked Sendable {
  // @unchecked Sendable because `number` is reached under the lock only.
  private let lock = NSLock()
  private var number = 0

  func read() -> Int { lock.withLock { number } }

  func write(_ number: Int) { lock.withLock { self.number = number } }
}

/// Two tasks read a number under a lock, and write it back plus one under it again.
@Sendable private func lostUpdateUnderLock() async {
  let number = LockedNumber()
  async let first: Void = increment(number)
  async let second: Void = increment(number)
  _ = await (first, second)
}

@concurrent private func increment(_ number: LockedNumber) async {
  let value = number.read()
  number.write(value + 1)
}

private final class AtomicNumber: Sendable {
  let number = Atomic(0)
}

/// Two tasks load an atomic, and store it plus one.
@Sendable private func lostUpdateOfAtomic() async {
  let number = AtomicNumber()
  async let first: Void = increment(number)
  async let second: Void = increment(number)
  _ = await (first, second)
}

@concurrent private func increment(_ number: AtomicNumber) async {
  let value = number.number.load(ordering: .sequentiallyConsistent)
  number.number.store(value + 1, ordering: .sequentiallyConsistent)
}
