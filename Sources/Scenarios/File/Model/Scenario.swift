/// One situation, played by every variant of one system.
struct Scenario: Codable, Equatable, Sendable {
  let name: String
  /// What a user of the app would see go wrong.
  let about: String
  let system: String
  /// All settings of the system, the descriptor's defaults filled in.
  let settings: NamedValues
  /// The values of each setting of which one is chosen, the usual one first; none where the file says which.
  var offers: [SettingOffer] = []
  let world: WorldScript
  let script: [ScriptLine]
  let checks: [Check]
  var search: Search
  /// One for each variant, in the order of the file.
  var expectations: [Expectation]
  /// In the order of the file.
  let replays: [RecordedReplay]
  /// Where the scenario begins.
  let position: SourcePosition
}

extension Scenario {
  /// The same scenario with those variants only that are to hold.
  var whereHolding: Scenario {
    var scenario = self
    scenario.expectations.removeAll { $0.outcome != .holds }
    return scenario
  }

  /// What is expected of the variant `name`.
  func expectation(of name: String) -> Expectation? {
    expectations.first { $0.variant == name }
  }
}

/// What the search must find in one variant, no less and no more.
struct Expectation: Codable, Equatable, Sendable {
  enum Outcome: Codable, Equatable, Sendable {
    case holds
    /// The names of the invariants that are violated, in the order of the file; never empty.
    case violates([String])
  }

  let variant: String
  let outcome: Outcome
  let position: SourcePosition
  /// What rightly stays untested in the variant: see ``Unused/name``. Only of one that is to hold.
  var mayBeUntested: [String] = []
  /// Whether the file does not say it yet; "holds" then only stands in for what it will say.
  var isMissing = false

  /// The name that stands for any invariant, of a variant that is meant to break in some story.
  static let anything = AnythingLine.name

  /// Whether the variant is meant to break, whatever breaks.
  var isOpen: Bool { outcome == .violates([Self.anything]) }
}

/// The values that a setting may have in a story that is made up.
struct SettingOffer: Codable, Equatable, Sendable {
  let name: String
  /// The usual one first; never empty.
  let values: [ParameterValue]
}

/// An invariant that a scenario asks to be monitored.
struct Check: Codable, Equatable, Sendable {
  let invariant: String
  /// What the descriptor says that it takes, as in `{ "settles-within": "8s" }`.
  let parameter: ParameterValue?
  let position: SourcePosition
}

/// A schedule that once violated something, kept in the file.
struct RecordedReplay: Codable, Equatable, Sendable {
  let variant: String
  let token: String
  let position: SourcePosition
}
