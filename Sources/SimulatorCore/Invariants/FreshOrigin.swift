extension Invariant.Violation {
  /// The origin of the process copies in which a search runs executions again.
  package enum FreshOrigin: String, Codable, Sendable {
    /// The copies are from before the search: other code may have run in the process.
    case search
    /// The copies are from a process in which none of the program had run.
    case program
  }
}

extension Invariant.Violation.FreshOrigin {
  /// The words for "in such a process", to continue a sentence.
  package var text: String {
    switch self {
    case .search: "in a copy of the process from before the search"
    case .program: "in a fresh process"
    }
  }
}
