import Catalog
import Foundation
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// The index of the catalog.
@Suite struct CatalogIndexTests {
  private static let explanations = CatalogSystems.all.map { $0.descriptor }.map { descriptor in
    SystemExplanation(
      descriptor,
      Catalogued.results.filter { $0.scenario.system == descriptor.name }.map { ("scenarios.json", $0) })
  }

  private static let index = CatalogIndex(
    explanations: explanations, scenarios: Catalogued.scenarios, vocabulary: Catalogued.vocabulary
  ).text.split(separator: "\n").map(String.init)

  @Test func `every race is under its kind, and the kinds are in order`() throws {
    let heading = try #require(Self.index.firstIndex(of: "## By system"))
    let rows = Self.index[..<heading].filter { $0.hasPrefix("| ") }.dropFirst(2)
    for explanation in Self.explanations {
      for race in explanation.races {
        #expect(
          rows.contains {
            $0.hasPrefix("| \(race.diagnosis) |")
              && $0.split(separator: "<br>").contains {
                $0.contains("[\(explanation.descriptor.name)](") && $0.contains(race.variant.name)
              }
          }, "\(race.variant.name) of \(explanation.descriptor.name)")
      }
    }
    #expect(rows.count > 3)
    let kinds = rows.map { $0.split(separator: "|")[0] }
    #expect(kinds == kinds.sorted())
  }

  @Test func `every system has a row with its folder, and each scenario stands in one`() {
    for explanation in Self.explanations {
      let name = explanation.descriptor.name
      let row = Self.index.last { $0.hasPrefix("| [\(name)](Sources/Catalog/") }
      #expect(row?.contains(explanation.descriptor.summary) == true, "\(name)")
      for scenario in Catalogued.scenarios where scenario.system == name {
        #expect(row?.contains("`\(scenario.name)`") == true, "\(scenario.name)")
      }
    }
  }
}
