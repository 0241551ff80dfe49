import Simulator
import SimulatorStrategies
import Synchronization

/// The options taken in each schedule that an exploration tried.
final class Tapes: Sendable {
  private let all = Mutex<[[Int]]>([])

  var count: Int { all.withLock { $0.count } }
  var tapes: Set<[Int]> { all.withLock { Set($0) } }
  var inOrder: [[Int]] { all.withLock { $0 } }

  func add(_ choices: [Schedule.Choice]) { all.withLock { $0.append(choices.map(\.taken)) } }
}

extension Explorer {
  /// Writes the options of each schedule into `tapes`.
  mutating func record(into tapes: Tapes?) {
    if let tapes { tried = { tapes.add($0) } }
  }
}

/// The options that `strategy` takes in each of so many schedules of `body`, whatever that violates.
func tapes(
  of strategy: any SchedulingStrategy, schedules: Int, seed: UInt64 = 0,
  _ body: @escaping @Sendable (Simulation) async throws -> Void
) -> [[Int]] {
  let tapes = Tapes()
  var explorer = Explorer(name: "test", body: body)
  explorer.seed = seed
  explorer.strategy = strategy
  explorer.record(into: tapes)
  explorer.checksDeterminism = false
  explorer.budget.schedules = schedules
  explorer.budget.violationsToFind = nil
  _ = explorer.explore()
  return tapes.inOrder
}
