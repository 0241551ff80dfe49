import Catalog
import Simulator
import TestEffort
import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct `Stories of the catalog` {
  /// Variants that break only in scenarios. One keeps its user waiting, and how long is too long says a scenario; one is a test,
  /// and breaks where a setting makes what it tests wrong.
  private static let soundInStories = ["two-on-a-queue nested", "test-of-search hardened"]

  @Test func `a variant is meant to hold exactly where no scenario expects it to break`() {
    for type in CatalogSystems.all {
      let own = Catalogued.scenarios.filter { $0.system == type.descriptor.name }
      for variant in type.descriptor.variants
      where !Self.soundInStories.contains("\(type.descriptor.name) \(variant.name)") {
        let breaks = own.contains {
          $0.expectation(of: variant.name).map { !($0.violated + $0.notLookedFor).isEmpty } ?? false
        }
        #expect(variant.isSound != breaks, "\(type.descriptor.name) \(variant.name)")
      }
    }
  }

  @Test(.enabled(if: triesMore), arguments: CatalogSystems.all.map { $0.descriptor.name })
  func `what is meant to hold holds in 200 stories`(system: String) throws {
    try expectHolds(in: 200, of: system)
  }

  @Test(arguments: CatalogSystems.all.map { $0.descriptor.name })
  func `what is meant to hold holds in twenty stories`(system: String) throws {
    try expectHolds(in: 20, of: system)
  }

  @Test(arguments: CatalogSystems.all.filter { !$0.exceptions.isEmpty }.map { $0.descriptor.name })
  func `what is not true of a screen is seen in one of its stories`(system: String) throws {
    let type = try #require(CatalogSystems.all.first { $0.descriptor.name == system })
    var options = StoryOptions()
    options.bound = nil
    let scenario = try #require(MadeUp.scenarios(of: type.descriptor, options, only: []).first)
    #expect(type.exceptions.map(\.descriptor) == type.descriptor.exceptions)
    for exception in type.exceptions {
      let invariant = exception.check.invariant(exception.check.descriptor.usual)
      for variant in type.descriptor.variants
      where variant.isSound && asksForAnything(variant, type.descriptor) {
        var explorer = Explorer(
          name: exception.descriptor.invariant, options: scenario.executionOptions,
          body: scenario.body(variant.name, of: type, alsoBy: [invariant]))
        explorer.budget.schedules = 2_000
        let found = explorer.explore().violations.map { $0.invariant }
        #expect(found == [invariant.name], "\(variant.name) \(exception.descriptor.reason)")
      }
    }
  }

  /// A variant that never calls a fake shows nothing of what the world does.
  private func asksForAnything(_ variant: SystemDescriptor.Variant, _ descriptor: SystemDescriptor) -> Bool {
    descriptor.fakes.contains { fake in
      fake.operations.contains { !variant.untested.contains("\(fake.name) \($0.name)") }
    }
  }

  private func expectHolds(in stories: Int, of system: String) throws {
    let type = try #require(CatalogSystems.all.first { $0.descriptor.name == system })
    var options = StoryOptions()
    options.drawn = stories
    options.bound = nil
    for scenario in MadeUp.scenarios(of: type.descriptor, options, only: []) {
      let runner = ScenarioRunner(scenario: scenario, type: type)
      for expectation in scenario.expectations where !expectation.isOpen {
        let violations = runner.run(expectation).report.violations
        #expect(
          violations.map { "\($0.invariant): \($0.message) \($0.token)" } == [], "\(expectation.variant)")
      }
    }
  }
}
