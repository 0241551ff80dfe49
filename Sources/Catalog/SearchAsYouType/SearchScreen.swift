/// What the search screen shows.
struct SearchScreen: Hashable, Sendable {
  enum Phase: String, Hashable, Sendable {
    case idle, searching, found, failed
  }

  var query = ""
  var phase = Phase.idle
  var results: [String] = []
}

/// The model behind the screen.
@MainActor protocol SearchModel: AnyObject {
  var screen: SearchScreen { get }
  /// The text in the search field has become `query`.
  func search(for query: String)
}

// MARK: - Seams

protocol SearchService: Sendable {
  func results(for query: String) async throws -> [String]
}
