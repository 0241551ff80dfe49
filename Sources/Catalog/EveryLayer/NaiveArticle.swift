import Observation

/// Loads in a task of its own, so that a redraw, which may cancel the view's, does not disturb it. Nor does
/// anything else.
struct NaiveArticleView: ArticleView {
  let model: any ArticleModel

  func task() async {
    await Task { await model.load() }.value
  }
}

/// Keeps the task in order to replace it. Who waits for it may be cancelled; the task is not.
@MainActor @Observable final class NaiveArticleModel: ArticleModel {
  private(set) var screen = ArticleScreen.empty
  @ObservationIgnored private var loading: Task<Void, Never>?
  @ObservationIgnored private let client: any ArticleClient

  init(client: any ArticleClient) {
    self.client = client
  }

  func load() async {
    loading?.cancel()
    let task = Task { await show() }
    loading = task
    await task.value
  }

  private func show() async {
    screen = .loading
    do {
      let article = try await client.article()
      try Task.checkCancellation()
      screen = .loaded(article)
    } catch {
      guard !Task.isCancelled else { return }
      screen = .failed
    }
  }
}

/// Keeps its requests in order to cancel them all when the user logs out. One asker's cancel does not reach
/// its own.
actor NaiveArticleClient: ArticleClient {
  private var requests: [Int: Task<String, any Error>] = [:]
  private var requestsSoFar = 0
  private let transport: any ArticleTransport

  init(transport: any ArticleTransport) {
    self.transport = transport
  }

  func article() async throws -> Article {
    requestsSoFar += 1
    let number = requestsSoFar
    let request = Task { try await transport.send("/article") }
    requests[number] = request
    defer { requests[number] = nil }
    return Article(title: try await request.value)
  }

  var requestsUnderWay: Int { requests.count }

  func cancelAll() {
    for request in requests.values { request.cancel() }
  }
}

/// Gets away from its caller's actor by a detached task, and from its caller's cancellation too.
struct NaiveArticleTransport: ArticleTransport {
  let connection: any ArticleConnection

  func send(_ path: String) async throws -> String {
    try await Task.detached { try await connection.get(path) }.value
  }
}
