/// An invariant that a scenario asks to be judged.
struct Check: Codable, Equatable, Sendable {
  let invariant: String
  /// What the card says that it takes, as in `{ "settles-within": "8s" }`.
  let parameter: ParameterValue?
  let position: SourcePosition
}
