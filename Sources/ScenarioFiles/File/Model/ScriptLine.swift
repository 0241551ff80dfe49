/// One line of the script. Lines begin in file order, each in a task of its own.
package enum ScriptLine: Codable, Equatable, Sendable {
  case action(ActionLine)
  case cancel(CancelLine)
  case anything(AnythingLine)
}

/// `{ "do": "open", "letter": "42", "as": "first", "times": 2, "at": "50ms" }`
package struct ActionLine: Codable, Equatable, Sendable {
  static let timesLimits = 1...1000

  package let action: String
  /// All arguments of the action, the descriptor's defaults filled in.
  package let arguments: NamedValues
  /// What a `cancel` line calls it.
  package let label: String?
  /// How many tasks do it, all at the same time.
  package let times: Int
  package let at: ScriptTime
  let position: SourcePosition
}

/// `{ "cancel": "first", "at": "1s...3s" }`: cancels every task of the line with that label.
package struct CancelLine: Codable, Equatable, Sendable {
  package let label: String
  package let at: ScriptTime
  let position: SourcePosition
}

/// `{ "do": "anything", "actions": ["open", "save"], "atMost": 4 }`: a story that is made up.
package struct AnythingLine: Codable, Equatable, Sendable {
  /// What `"do"` says, and what `"with"` and `"world"` may say.
  static let name = ScriptWord.anything
  package static let atMostLimits = 1...16
  package static let usually = 6

  /// One thing that the user may do.
  package struct Step: Codable, Equatable, Sendable {
    package let action: String
    package let arguments: NamedValues
    /// The arguments, in the order of the descriptor, which differ between two steps of one action.
    package let words: String
  }

  /// What the user may do.
  package let steps: [Step]
  /// How often the user does something at most.
  package let atMost: Int
  /// Whether the user may cancel what was begun.
  package let cancels: Bool
  let position: SourcePosition
}
