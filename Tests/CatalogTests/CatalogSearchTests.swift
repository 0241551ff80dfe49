import Simulator
import SimulatorStrategies
import TestEffort
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// How soon the usual strategy finds what the catalog's variants do wrong.
@Suite struct `The portfolio in the catalog` {
  @Test(arguments: 0..<tries(1, more: 3, all: 10) as Range<UInt64>)
  func `finds each expected violation of each variant within 400 schedules, or 1,000 of one`(seed: UInt64) {
    for (scenario, expectation) in Catalogued.breaking {
      var explorer = ScenarioRunner(scenario: scenario, type: scenario.type).explorer(expectation.variant)
      explorer.strategy = Strategies.Portfolio()
      explorer.seed = seed
      explorer.checksDeterminism = false
      explorer.budget.exhaustiveDeviationBound = nil
      explorer.budget.schedules = Self.isLonger(scenario.name, expectation.variant) ? 1_000 : 400
      explorer.budget.shrinkingExecutions = 0
      explorer.budget.violationsToFind = Set(expectation.violated)
      let found = explorer.explore().violations.map(\.invariant)
      let missing = Set(expectation.violated).subtracting(found)
      #expect(missing == [], "\(scenario.name) \(expectation.variant)")
    }
  }

  /// The published inbox reads back what it has saved, so its bugs stand behind more steps than all others'.
  private static func isLonger(_ scenario: String, _ variant: String) -> Bool {
    scenario.hasPrefix("inbox-refresh") && variant == "published"
  }

  @Test func `has two hundred expected violations to find`() {
    #expect(Catalogued.breaking.reduce(0) { $0 + $1.expectation.violated.count } >= 200)
  }
}
