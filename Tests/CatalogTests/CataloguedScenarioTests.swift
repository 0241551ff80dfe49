import Catalog
import Foundation
import Simulator
import SimulatorReports
import TestEffort
import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct CataloguedScenarioTests {
  @Test(arguments: Catalogued.some.indices)
  func `every variant violates what is expected of it, and nothing else`(index: Int) {
    let report = ScenarioReport(
      Catalogued.results[index], file: "scenarios.json", ReportConditions(isStrict: true))
    for variant in report.variants {
      #expect(variant.noLongerFound == [], "\(report.name) \(variant.name)")
      #expect(
        variant.unexpected.map { "\($0.invariant): \($0.message) \($0.token)" } == [],
        "\(report.name) \(variant.name)")
    }
    #expect(report.isAsExpected, "\(report.name)")
  }

  @Test(.enabled(if: triesMore))
  func `every hardened variant is searched to a bound of two deviations or more, over 100 schedules or more`()
  {
    let systems = CatalogSystems.all.enumerated().filter {
      $0.offset.isMultiple(of: tries(6, all: 1))
    }
    for type in systems.map(\.element) {
      let bounded = Catalogued.scenarios.filter {
        $0.system == type.descriptor.name && ($0.search.exhaustDeviations ?? 0) >= 2
      }
      let isProved = bounded.contains { scenario in
        let report = ScenarioRunner(scenario: scenario, type: type).explorer("hardened").explore()
        return report.coverage != nil && report.coveredSchedules >= 100
      }
      #expect(isProved, "\(type.descriptor.name)")
    }
  }

  /// The search of a variant that is to violate something stops when all of it has been seen; here it goes
  /// on.
  @Test(arguments: Catalogued.some)
  func `a longer search finds nothing more`(scenario: Scenario) {
    let runner = ScenarioRunner(scenario: scenario, type: scenario.type)
    for expectation in scenario.expectations where !expectation.violated.isEmpty {
      var explorer = runner.explorer(expectation.variant)
      explorer.budget.exhaustiveDeviationBound = nil
      explorer.budget.schedules = 300
      explorer.budget.shrinkingExecutions = 0
      let found = explorer.explore().violations.map(\.invariant)
      #expect(Set(found).subtracting(expectation.violated) == [], "\(expectation.variant)")
    }
  }

  /// A change off the main actor is one in every order.
  private static let caughtInAnyOrder: Set = ["state-off-main"]

  @Test(
    arguments: Catalogued.scenarios.filter {
      $0.name.hasSuffix("anytime") && !caughtInAnyOrder.contains($0.system)
    })
  func `where things happen anytime no variant is caught in the natural order`(scenario: Scenario) {
    for expectation in scenario.expectations {
      #expect(
        scenario.played(expectation.variant).violations.map(\.invariant) == [], "\(expectation.variant)")
    }
  }

  @Test func `nothing that a scenario says goes untested`() {
    for result in Catalogued.results {
      #expect(result.vacuities == [], "\(result.scenario.name)")
    }
  }

  @Test func `the four hand-off scenarios and the inbox are there, each with and without fixed times`() {
    let names = Set(Catalogued.scenarios.map(\.name))
    let races = [
      "inbox-refresh", "slow-dismiss", "write-after-fetch", "same-thing-at-once", "cancel-mid-write",
    ]
    #expect(names.isSuperset(of: races + races.map { $0 + "-anytime" }))
  }
}

@Suite struct CatalogSystemTests {
  @Test func `the descriptors contradict neither themselves nor each other`() {
    #expect(Catalogued.vocabulary.flaws == [])
  }

  @Test(arguments: CatalogSystems.all.map { $0.descriptor.name })
  func `every variant in a descriptor can be made and every check judged`(name: String) throws {
    let type = try #require(CatalogSystems.all.first { $0.descriptor.name == name })
    #expect(type.checks.map(\.descriptor) == type.descriptor.invariants)
    for variant in type.descriptor.variants {
      let execution = simulate { simulation in
        try simulation.outsideSteps {
          MainActor.assumeIsolated {
            Result {
              let settings = NamedValues(
                type.descriptor.settings.compactMap { setting in
                  setting.defaultValue.map { NamedValues.Entry(name: setting.name, value: $0) }
                })
              let world = World(
                settings: settings, in: simulation,
                behaviors: WorldScript(entries: []).behaviors(in: type.descriptor))
              _ = try type.init(variant.name, in: world)
            }
          }
        }.get()
      }
      #expect(execution.violations.map(\.message) == [])
    }
  }

  /// What a reader is to learn from must not know that it is simulated.
  @Test func `a system's own files import Foundation and Observation at most`() throws {
    let folder = Catalogued.repository.appending(path: "Sources/Catalog")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var own = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let system = file.deletingLastPathComponent().lastPathComponent
      let name = file.deletingPathExtension().lastPathComponent
      guard system != "Catalog", name != system, !name.hasSuffix("+Fakes"), !name.hasSuffix("+Checks") else {
        continue
      }
      own += 1
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      let imports = lines.filter { $0.hasPrefix("import ") }.map { String($0.dropFirst("import ".count)) }
      #expect(Set(imports).isSubset(of: ["Foundation", "Observation", "CatalogInSwift5"]), "\(name)")
    }
    #expect(own >= 15)
  }
}
