import Foundation
import Simulator

@testable import Scenarios

/// What a search of one catalog scenario with one breaking variant reports.
struct CatalogFinding: Sendable {
  let scenario: String
  let variant: SystemCard.Variant
  let report: Report

  /// Of all scenarios of the repository's own file; searched once a process.
  static let all: [CatalogFinding] = scenarios.flatMap { findings($0) }

  static var scenarios: [Scenario] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let catalog = Catalog(systems: CatalogSystems.all.map { $0.card })
    do {
      return try ScenarioFile(at: root.appending(path: "scenarios.json").path, in: catalog).scenarios
    } catch {
      fatalError("\(error)")
    }
  }

  private static func findings(_ scenario: Scenario) -> [CatalogFinding] {
    guard let type = CatalogSystems.all.first(where: { $0.card.name == scenario.system }) else { return [] }
    var found: [CatalogFinding] = []
    for expectation in scenario.expectations where !expectation.violated.isEmpty {
      let result = ScenarioRunner(scenario: scenario, type: type).run(expectation)
      guard let variant = type.card.variants.first(where: { $0.name == expectation.variant }) else {
        continue
      }
      found.append(CatalogFinding(scenario: scenario.name, variant: variant, report: result.report))
    }
    return found
  }
}
