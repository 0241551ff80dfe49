import Simulator

extension FakeNetwork: ArticlesTransport {
  /// The n-th request gets the n-th edition.
  nonisolated func send(_ request: ArticlesRequest, token: String) async throws -> ArticlesResponse {
    try await exchange("GET /articles", .text(request.id), showing: \.shown) { served in
      served.reply.name == "unavailable"
        ? ArticlesResponse(status: 503, body: "unavailable")
        : ArticlesResponse(status: 200, body: "\(request.id), edition \(served.number)")
    }
  }
}

extension FakeTokenService: ArticlesTokens {
  nonisolated func token() async throws -> String { try await refresh().text }
}

extension ArticlesResponse {
  var shown: Trace.Value { .text(body) }
}
