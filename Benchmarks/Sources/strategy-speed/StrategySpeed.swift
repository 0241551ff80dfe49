import Simulator
import Synchronization

/// Prints how many executions of two small programs each strategy runs in a second, and how that compares with
/// random search in the same run: medians of several rounds in which the strategies take turns, because the
/// machine's own speed changes. Names as arguments measure only those.
///
/// An exploration runs three executions before the first that counts, as its warm-up. An exhaustive search of a small
/// program has few that count, so all are counted here.
@main struct StrategySpeed {
  static let rounds = 7

  static func main() {
    measure("two tasks, lost update", schedules: 40_000) { _ in
      let cell = Cell()
      async let first: Void = increment(cell)
      async let second: Void = increment(cell)
      _ = await (first, second)
    }
    measure("100 tasks × 20 yields", schedules: 100) { _ in
      await withDiscardingTaskGroup { group in
        for _ in 0..<100 {
          group.addTask { for _ in 0..<20 { await Task.yield() } }
        }
      }
    }
  }

  static func measure(
    _ name: String, schedules: Int, _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) {
    let wanted = CommandLine.arguments.dropFirst()
    let strategies = NamedStrategy.all.filter {
      $0.name != "natural" && (wanted.isEmpty || wanted.contains($0.name))
    }
    var rates = [String: [Double]]()
    for _ in 0..<rounds {
      for strategy in strategies {
        rates[strategy.name, default: []].append(rate(strategy, schedules, body))
      }
    }
    let medians = rates.mapValues { $0.sorted()[rounds / 2] }
    print(name)
    for strategy in strategies {
      guard let rate = medians[strategy.name] else { continue }
      let ratio = medians["random"].map { ", \(Int((100 * rate / $0).rounded())) % of random" } ?? ""
      print("  \(strategy.name): \(Int(rate)) executions/s\(ratio)")
    }
  }

  /// Executions a second; an exhaustive search is begun again until it has run as many schedules.
  static func rate(
    _ strategy: NamedStrategy, _ schedules: Int, _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) -> Double {
    let executions = Executions()
    var explorer = Explorer(name: strategy.name) { simulation in
      executions.count.add(1, ordering: .relaxed)
      try await body(simulation)
    }
    explorer.budget.schedules = schedules
    explorer.budget.stopsAfter = nil
    explorer.strategy = strategy.make()
    var done = 0
    let begin = ContinuousClock.now
    while done < schedules { done += explorer.explore().schedules }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    return Double(executions.count.load(ordering: .relaxed)) / seconds
  }
}

private final class Executions: Sendable {
  let count = Atomic(0)
}

actor Cell {
  private(set) var value = 0
  func set(_ value: Int) { self.value = value }
}

@concurrent func increment(_ cell: Cell) async {
  let value = await cell.value
  await cell.set(value + 1)
}
