/// An invariant that a scenario asks to be judged.
struct Check: Codable, Equatable, Sendable {
  let invariant: String
  /// What the descriptor says that it takes, as in `{ "settles-within": "8s" }`.
  let parameter: ParameterValue?
  let position: SourcePosition
}
