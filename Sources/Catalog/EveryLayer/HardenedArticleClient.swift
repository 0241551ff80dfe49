/// Keeps its requests in order to cancel them all when the user logs out, and hands an asker's cancel on to its own.
actor HardenedArticleClient: ArticleClient {
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
    return try await withTaskCancellationHandler {
      Article(title: try await request.value)
    } onCancel: {
      request.cancel()  // guard: client-hands-on-cancel
    }
  }

  func cancelAll() {
    for request in requests.values { request.cancel() }
  }
}

// Not guards: the frame that hands a cancel on, which its guard fills.
