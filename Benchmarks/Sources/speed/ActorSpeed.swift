import Foundation
import Simulator
import SimulatorStrategies
import SmallActor

/// What a user's own first program costs: thirty lines with an actor, two tasks, in any build. The floor is the same program,
/// built in the same way, with its jobs in a FIFO ring and nothing controlled.
enum ActorSpeed {
  private static let turns = 9
  private static let schedules = 10_000
  private static let measured = ["floor", "random", "portfolio"]

  /// The three take turns, because the machine's own speed changes.
  static func print() {
    Swift.print("an actor of 30 lines, schedules a second of processor time (medians of \(turns) turns)")
    var rates: [String: [Double]] = [:]
    for _ in 0..<turns {
      for name in measured { rates[name, default: []].append(rate(name)) }
    }
    let medians = measured.map { (rates[$0] ?? []).sorted()[turns / 2] }
    for (name, median) in zip(measured, medians) {
      let title = "  \(name)".padding(toLength: 14, withPad: " ", startingAt: 0)
      Swift.print(title + String(format: "%9.0f   1/%.2f of the floor", median, medians[0] / median))
    }
  }

  /// So many schedules, for a tool that counts instructions.
  static func run(_ count: Int, under name: String) {
    Swift.print("\(explore(name, count)) schedules, \(name)")
  }

  private static func rate(_ name: String) -> Double {
    let start = clock()
    let done = explore(name, schedules)
    return Double(done) / (Double(clock() - start) / Double(CLOCKS_PER_SEC))
  }

  private static func explore(_ name: String, _ count: Int) -> Int {
    guard let strategy = Strategies.Named.named(name) else {
      let ring = RingExecutor()
      for _ in 0..<count { ring.run { _ = await depositTwice() } }
      return count
    }
    var explorer = Explorer(name: name) { _ in _ = await depositTwice() }
    explorer.checksDeterminism = false
    explorer.strategy = strategy.make()
    explorer.budget.violationsToFind = nil
    explorer.budget.schedules = count
    return explorer.explore().schedules
  }
}
