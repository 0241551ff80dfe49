import Outcomes
import Simulator
import SimulatorStrategies

/// As in the package's own tests, with its public API only.
struct SmallProgram: Sendable, CustomStringConvertible {
  let name: String
  let body: @Sendable (Simulation) async -> String

  var description: String { name }

  init(_ name: String, _ body: @escaping @Sendable (Simulation) async -> String) {
    self.name = name
    self.body = body
  }

  func outcomes(
    _ strategy: any SchedulingStrategy, schedules: Int, options: Simulation.Options
  ) -> (outcomes: Set<String>, report: Explorer.Report) {
    outcomes(strategy, options) { $0.budget.schedules = schedules }
  }

  /// The same until `strategy` has nothing left, whatever it violates.
  func allOutcomes(
    _ strategy: any SchedulingStrategy, schedules: Int
  ) -> (outcomes: Set<String>, report: Explorer.Report) {
    outcomes(strategy, Simulation.Options(steps: .preemptible)) { explorer in
      explorer.budget.schedules = schedules
      explorer.budget.violationsToFind = nil
      explorer.budget.shrinkingExecutions = 0
    }
  }

  private func outcomes(
    _ strategy: any SchedulingStrategy, _ options: Simulation.Options, _ set: (inout Explorer) -> Void
  ) -> (outcomes: Set<String>, report: Explorer.Report) {
    let outcomes = Outcomes()
    let body = body
    var explorer = Explorer(name: name, options: options) { outcomes.add(await body($0)) }
    explorer.strategy = strategy
    set(&explorer)
    let report = explorer.explore()
    return (outcomes.all, report)
  }
}
