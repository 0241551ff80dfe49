import Observation

/// What a reader reads.
struct Article: Hashable, Sendable {
  let title: String
}

/// What the article's screen shows.
enum ArticleScreen: Hashable, Sendable {
  case empty, loading, loaded(Article), failed
}

// MARK: - Layers, from the top

/// The screen. What it does runs in a task of its own, which is cancelled when the screen goes away.
@MainActor protocol ArticleView {
  func task() async
}

/// The model behind the screen.
@MainActor protocol ArticleModel: AnyObject {
  var screen: ArticleScreen { get }
  func load() async
}

/// What the app asks for articles.
protocol ArticleClient: Actor {
  func article() async throws -> Article
  /// How many requests it keeps.
  var requestsUnderWay: Int { get }
  /// The reader logs out: nothing is asked in their name any more.
  func cancelAll() async
}

/// What sends requests.
protocol ArticleTransport: Sendable {
  func send(_ path: String) async throws -> String
}

// MARK: - Seams

protocol ArticleConnection: Sendable {
  func get(_ path: String) async throws -> String
}
