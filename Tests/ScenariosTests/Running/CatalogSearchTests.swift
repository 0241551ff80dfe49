import Simulator
import Testing

@testable import Scenarios

/// How soon the usual strategy finds what the catalog's variants do wrong.
@Suite struct `The portfolio in the catalog` {
  @Test(arguments: Catalogued.scenarios)
  func `finds each expected violation within 200 schedules, whatever the seed`(scenario: Scenario) {
    let runner = ScenarioRunner(scenario: scenario, type: scenario.type)
    for expectation in scenario.expectations where !expectation.violated.isEmpty {
      for seed in 0..<10 as Range<UInt64> {
        var explorer = runner.explorer(expectation.variant)
        explorer.strategy = Portfolio()
        explorer.seed = seed
        explorer.budget.schedules = 200
        explorer.budget.stopsAfter = Set(expectation.violated)
        explorer.budget.shrinking = 0
        let found = explorer.explore().violations.map(\.invariant)
        #expect(Set(expectation.violated).subtracting(found) == [], "\(expectation.variant), seed \(seed)")
      }
    }
  }

  @Test func `has thirty-odd expected violations to find`() {
    let expected = Catalogued.scenarios.flatMap(\.expectations).reduce(0) { $0 + $1.violated.count }
    #expect(expected >= 35)
  }
}
