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

/// A screen that its model writes.
@MainActor protocol SearchDisplay {
  func show(_ screen: SearchScreen)
}

/// Owns the network: requests are sent in the order in which they are asked for, and not on the main actor's time.
actor SearchClient {
  private let service: any SearchService

  init(service: any SearchService) {
    self.service = service
  }

  func results(for query: String) async throws -> [String] {
    try await service.results(for: query)
  }
}
