extension Invariant.Violation {
  /// From where the copies of a process are in which a search runs executions again.
  package enum FreshOrigin: String, Codable, Sendable {
    /// From before the search: other code may have run in the process.
    case search
    /// From a process in which nothing of the program had run.
    case program
  }
}

extension Invariant.Violation.FreshOrigin {
  /// In such a process, as a sentence goes on.
  package var text: String {
    switch self {
    case .search: "in a copy of the process from before the search"
    case .program: "in a fresh process"
    }
  }
}
