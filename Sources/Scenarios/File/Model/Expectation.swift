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
}
