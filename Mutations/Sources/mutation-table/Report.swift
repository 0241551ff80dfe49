import Foundation

/// What `simrun --format json` says, as far as it decides on a mutant.
struct Report: Decodable {
  let scenarios: [Scenario]

  struct Scenario: Decodable {
    let name: String
    let variants: [Variant]
  }

  struct Variant: Decodable {
    let name: String
    let asExpected: Bool
    let unexpected: [String]
    let noLongerFound: [String]
  }

  /// The first scenario that is not as expected. What is untested does not count: `simrun --strict` asks that some variant
  /// tests it, and only hardened ones are run here.
  var complaint: Verdict? {
    for scenario in scenarios {
      for variant in scenario.variants where !variant.asExpected {
        let reason =
          variant.unexpected.first ?? variant.noLongerFound.first.map { "\($0) no longer found" }
          ?? "not as expected"
        return .killed(scenario: scenario.name, reason: reason)
      }
    }
    return nil
  }
}
