import Simulator

/// What a recorded schedule led to.
struct ReplayReport: Equatable, Sendable {
  /// What a replay can come to.
  enum Outcome: Equatable, Sendable {
    /// It violates these invariants again, with the same trace.
    case reproduced([String])
    /// It was recorded in the other build, where it is a hint that is tried first.
    case hint
    /// It runs as recorded and violates nothing.
    case harmless
    /// It no longer runs as recorded.
    case diverged(String)
    /// It cannot be read.
    case unreadable(String)
  }

  let token: String
  /// Where it stands in its file.
  let position: SourcePosition
  let outcome: Outcome

  /// What is wrong with it; nil if it reproduces.
  var complaint: String? {
    let shown = Echo.plain(token, limit: 40)
    return switch outcome {
    case .reproduced, .hint: nil
    case .harmless: "RECORDED, BUT NO LONGER VIOLATES ANYTHING: \(shown)"
    case .diverged(let divergence): "RECORDED, BUT DIVERGED: \(shown): \(divergence)"
    case .unreadable(let error): "RECORDED, BUT UNREADABLE: \(shown): \(error)"
    }
  }

  /// The invariants that it violates again.
  var reproduced: [String] {
    if case .reproduced(let invariants) = outcome { invariants } else { [] }
  }
}
