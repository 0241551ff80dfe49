package import Simulator

/// What a test says about its search.
package struct SearchRequest: Sendable {
  package let schedules: Int
  private let seed: UInt64
  private let strategy: any SchedulingStrategy
  private let exhaustsDeviations: Int?

  package init(schedules: Int, seed: UInt64, strategy: any SchedulingStrategy, exhaustsDeviations: Int?) {
    self.schedules = schedules
    self.seed = seed
    self.strategy = strategy
    self.exhaustsDeviations = exhaustsDeviations
  }

  /// Why the search would try nothing; nil if it tries something.
  package var flaw: String? {
    if schedules < 1 { return "`schedules: \(schedules)` tries nothing; it is 1 at least" }
    guard let exhaustsDeviations, exhaustsDeviations < 0 else { return nil }
    return "`exhaustsDeviations: \(exhaustsDeviations)` covers nothing; it is 0 at least"
  }

  /// Searches with `explorer`, which keeps the settings: it can replay what the search found.
  package func explore(with explorer: inout Explorer) -> Explorer.Report {
    explorer.seed = seed
    explorer.strategy = strategy
    explorer.budget.schedules = schedules
    explorer.budget.exhaustsDeviations = exhaustsDeviations
    return explorer.explore()
  }
}
