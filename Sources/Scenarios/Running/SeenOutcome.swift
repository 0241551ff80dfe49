import ScenarioFiles
import Simulator

/// What one variant did in a search that was not ended before its budget was spent.
struct SeenOutcome: Equatable, Sendable {
  let variant: String
  let outcome: Expectation.Outcome
  /// Why the search has not told all; nil where it has.
  var notJudged: String?
}

extension SeenOutcome {
  init(_ result: VariantResult) {
    let names = result.report.violations.map(\.invariant).unique
    // A build that does not look for data races does not say that there is none.
    let kept = result.expectation.notLookedFor.filter { !names.contains($0) }
    let all = names + kept
    // That nothing was tested is for a person to say.
    let said: Expectation.Outcome = result.testsNothing ? .testsNothing : .holds
    self.init(
      variant: result.variant, outcome: all.isEmpty ? said : .violates(all),
      notJudged: result.isNotJudged ? result.report.warnings.last ?? "" : nil)
  }
}

extension Scenario {
  /// The same with searches that go on whatever they have found.
  var searchedWhole: Scenario {
    var scenario = self
    scenario.expectations = expectations.map { expectation in
      let kept = expectation.notLookedFor
      let whole: Expectation.Outcome = expectation.outcome == .testsNothing ? .testsNothing : .holds
      return Expectation(
        variant: expectation.variant, outcome: kept.isEmpty ? whole : .violates(kept),
        position: expectation.position)
    }
    return scenario
  }
}
