import Foundation

/// What `simrun --format json` says, as far as it decides on a mutant.
struct Report: Decodable {
  let scenarios: [Scenario]

  struct Scenario: Decodable {
    let name: String
    let untested: [String]
    let variants: [Variant]
  }

  struct Variant: Decodable {
    let name: String
    let asExpected: Bool
    let unexpected: [String]
    let noLongerFound: [String]
  }

  /// The first scenario that is not as expected. What is untested counts where the other variants do not test it either:
  /// `simrun --strict` asks for no more.
  func complaint(untestedByOthers: [String: Set<String>]) -> Verdict? {
    for scenario in scenarios {
      for variant in scenario.variants where !variant.asExpected {
        let reason =
          variant.unexpected.first ?? variant.noLongerFound.first.map { "\($0) no longer found" }
          ?? "not as expected"
        return .killed(scenario: scenario.name, reason: reason)
      }
      let others = untestedByOthers[scenario.name]
      if let untested = scenario.untested.first(where: { others?.contains($0) ?? true }) {
        return .killed(scenario: scenario.name, reason: "untested (\(untested))")
      }
    }
    return nil
  }
}
