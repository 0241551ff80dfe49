/// A post in the feed.
struct Post: Hashable, Sendable {
  let title: String
}

/// What the feed shows, and how far it has been scrolled.
struct FeedScreen: Hashable, Sendable {
  enum Phase: String, Hashable, Sendable {
    case idle, loading, loaded, failed
  }

  var phase = Phase.idle
  var posts: [Post] = []
  var offset = 0
}

/// The model behind the screen.
@MainActor protocol FeedModel: AnyObject {
  var screen: FeedScreen { get }
  func load() async
  func scroll()
}

// MARK: - Seams

protocol FeedService: Sendable {
  /// The feed as it comes over the wire, a title a line.
  func feed() async throws -> String
}

protocol FeedDecoder: Sendable {
  /// Takes its time, wherever it is called.
  func posts(in text: String) async throws -> [Post]
}
