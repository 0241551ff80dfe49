import Simulator

/// What is checked in every execution, without being asked.
struct BuiltInCheck: Hashable, Sendable {
  let name: String
  let summary: String
  /// Whether `check` may name it too, where a reader would miss it otherwise.
  var mayBeListed = false

  /// The engine's.
  static let all = BuiltIn.checks.map {
    BuiltInCheck(name: $0.name, summary: $0.summary, mayBeListed: $0.name == BuiltIn.nothingOutlives)
  }
}
