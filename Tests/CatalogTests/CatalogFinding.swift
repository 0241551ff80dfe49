import Simulator
import SimulatorStrategies

@testable import ScenarioFiles
@testable import Scenarios

/// What a search of one catalog scenario with one breaking variant reports.
struct CatalogFinding: Sendable {
  let scenario: Scenario
  let variant: SystemDescriptor.Variant
  let report: Explorer.Report

  /// Of the scenarios that are played.
  static let all: [CatalogFinding] = Catalogued.results.flatMap { result in
    result.variants.filter { !$0.expectation.violated.isEmpty }.compactMap { found in
      result.scenario.type.descriptor.variants.first { $0.name == found.variant }
        .map { CatalogFinding(scenario: result.scenario, variant: $0, report: found.report) }
    }
  }

  /// All schedules with at most so many deviations, as far as 2,000 go.
  func searched(deviations: Int) -> Explorer.Report {
    var explorer = ScenarioRunner(scenario: scenario, type: scenario.type).explorer(variant.name)
    explorer.strategy = Strategies.DelayBounded(atMost: deviations)
    explorer.checksDeterminism = false
    explorer.budget.exhaustiveDeviationBound = nil
    explorer.budget.schedules = 2_000
    explorer.budget.shrinkingExecutions = 0
    return explorer.explore()
  }
}
