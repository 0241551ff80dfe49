/// One situation, played by every variant of one system.
package struct Scenario: Codable, Equatable, Sendable {
  package let name: String
  /// What a user of the app would see go wrong.
  package let about: String
  package let system: String
  /// All settings of the system, the descriptor's defaults filled in.
  package let settings: NamedValues
  /// The values of each setting of which one is chosen, the usual one first; none where the file says which.
  package var offers: [SettingOffer] = []
  package let world: WorldScript
  package let script: [ScriptLine]
  package var checks: [Check]
  package var search: Search
  /// One for each variant, in the order of the file.
  package var expectations: [Expectation]
  /// In the order of the file.
  package let replays: [RecordedReplay]
  /// Where the scenario begins.
  package let position: SourcePosition
}

extension Scenario {
  /// The same scenario with those variants only that are to hold.
  package var whereHolding: Scenario {
    var scenario = self
    scenario.expectations.removeAll { $0.outcome != .holds }
    return scenario
  }

  /// What is expected of the variant `name`.
  package func expectation(of name: String) -> Expectation? {
    expectations.first { $0.variant == name }
  }
}

/// What the search must find in one variant, no less and no more.
package struct Expectation: Codable, Equatable, Sendable {
  package enum Outcome: Codable, Equatable, Sendable {
    case holds
    /// Nothing that the scenario lists under `check` has anything to judge: the variant is a test that proves nothing.
    case testsNothing
    /// The names of the invariants that are violated, in the order of the file; never empty.
    case violates([String])
  }

  package let variant: String
  package let outcome: Outcome
  package let position: SourcePosition
  /// What rightly stays untested in the variant: see ``Unused/name``. Only of one that is to hold.
  package var mayBeUntested: [String] = []
  /// Whether the file does not say it yet; "holds" then only stands in for what it will say.
  package var isMissing = false

  package init(
    variant: String, outcome: Outcome, position: SourcePosition, mayBeUntested: [String] = [],
    isMissing: Bool = false
  ) {
    (self.variant, self.outcome, self.position) = (variant, outcome, position)
    (self.mayBeUntested, self.isMissing) = (mayBeUntested, isMissing)
  }

  /// The word in a file for ``Outcome/testsNothing``.
  package static let testsNothing = "tests-nothing"

  /// The name that stands for any invariant, of a variant that is meant to break in some story.
  package static let anything = AnythingLine.name

  /// Whether the variant is meant to break, whatever breaks.
  package var isOpen: Bool { outcome == .violates([Self.anything]) }
}

/// The values that a setting may have in a story that is made up.
package struct SettingOffer: Codable, Equatable, Sendable {
  package let name: String
  /// The usual one first; never empty.
  package let values: [ParameterValue]
}

/// An invariant that a scenario asks to be monitored.
package struct Check: Codable, Equatable, Sendable {
  package let invariant: String
  /// What the descriptor says that it takes, as in `{ "settles-within": "8s" }`.
  package let parameter: ParameterValue?
  let position: SourcePosition

  package init(invariant: String, parameter: ParameterValue?, position: SourcePosition) {
    (self.invariant, self.parameter, self.position) = (invariant, parameter, position)
  }
}

/// A schedule that once violated something, kept in the file.
package struct RecordedReplay: Codable, Equatable, Sendable {
  package let variant: String
  package let token: String
  package let position: SourcePosition
}
