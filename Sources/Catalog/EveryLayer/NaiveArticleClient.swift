/// Keeps its requests in order to cancel them all when the user logs out. One asker's cancel does not reach its own.
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

  func cancelAll() {
    for request in requests.values { request.cancel() }
  }
}
