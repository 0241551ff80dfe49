import Observation

/// What a server is asked for. Whoever asks for the same uses the same id.
struct ArticlesRequest: Hashable, Sendable {
  let id: String
}

/// What it answers.
struct ArticlesResponse: Hashable, Sendable {
  let status: Int
  let body: String
}

/// Where all screens ask.
protocol ArticlesClient: Actor {
  var cache: [String: ArticlesResponse] { get }
  func response(to request: ArticlesRequest) async throws -> ArticlesResponse
  /// Gives the request up, no matter which caller asked for it.
  func cancel(requestID: String)
  /// What was fetched so far was for somebody else.
  func signOut()
}

/// The model behind each screen.
@MainActor @Observable final class ArticlesModel {
  private(set) var articles: String?
  @ObservationIgnored private var session = 0
  @ObservationIgnored private var loads = Loads<String?>(nil)
  @ObservationIgnored private let client: any ArticlesClient

  init(client: any ArticlesClient) {
    self.client = client
  }

  func load(_ topic: String) async throws {
    let (session, load) = (session, loads.begin())
    do {
      let response = try await client.response(to: ArticlesRequest(id: topic))
      guard session == self.session else { throw CancellationError() }
      // The screen shows what was asked for last, and not what comes last.
      if loads.end(load, with: response.body) { articles = response.body }
    } catch {
      if session == self.session { loads.end(load, with: nil) }
      throw error
    }
  }

  func signedOut() {
    session += 1
    loads = Loads(nil)
    articles = nil
  }
}

// MARK: - Seams

protocol ArticlesTransport: Sendable {
  func send(_ request: ArticlesRequest, token: String) async throws -> ArticlesResponse
}

protocol ArticlesTokens: Sendable {
  func token() async throws -> String
}
