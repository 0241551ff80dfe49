import Simulator

@testable import Scenarios

/// What a search of one catalog scenario with one breaking variant reports.
struct CatalogFinding: Sendable {
  let scenario: Scenario
  let variant: SystemCard.Variant
  let report: Report

  /// Of all scenarios of the repository.
  static let all: [CatalogFinding] = Catalogued.results.flatMap { result in
    result.variants.filter { !$0.expectation.violated.isEmpty }.compactMap { found in
      result.scenario.type.card.variants.first { $0.name == found.variant }
        .map { CatalogFinding(scenario: result.scenario, variant: $0, report: found.report) }
    }
  }
}
