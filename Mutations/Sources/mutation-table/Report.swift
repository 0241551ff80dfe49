import Foundation

/// What `simrun --format json` says, as far as it decides on a mutant.
struct Report: Decodable {
  let scenarios: [Scenario]

  struct Scenario: Decodable {
    let name: String
    let variants: [Variant]
    let untested: [Untested]

    /// What the scenario leaves untested, a sentence each.
    var sentences: [String] { untested.map { ($0.variant.map { "\($0): " } ?? "") + $0.text } }

    /// Whether it was made up. A scenario of the catalog's file may leave to other variants what it tests.
    var isMadeUp: Bool { name.contains(".") }
  }

  struct Untested: Decodable {
    let text: String
    let variant: String?
  }

  struct Variant: Decodable {
    let name: String
    let asExpected: Bool
    let unexpected: [String]
    let noLongerFound: [String]
  }

  /// The first scenario that is not as expected; or else the first that was made up in which something is no longer put to
  /// the test that was so in the original, which leaves `known` untested.
  func complaint(besides known: [String: Set<String>]? = nil) -> Verdict? {
    for scenario in scenarios {
      for variant in scenario.variants where !variant.asExpected {
        let reason =
          variant.unexpected.first ?? variant.noLongerFound.first.map { "\($0) no longer found" }
          ?? "not as expected"
        return .killed(scenario: scenario.name, reason: reason)
      }
    }
    guard let known else { return nil }
    for scenario in scenarios where scenario.isMadeUp {
      if let text = scenario.sentences.first(where: { known[scenario.name]?.contains($0) != true }) {
        return .killed(scenario: scenario.name, reason: "not tested: \(text)")
      }
    }
    return nil
  }

  /// What each scenario does not put to the test.
  var untested: [String: Set<String>] {
    Dictionary(scenarios.map { ($0.name, Set($0.sentences)) }) { $0.union($1) }
  }
}
