import Simulator

extension FakeNetwork: ArticleConnection {
  nonisolated func get(_ path: String) async throws -> String {
    try await exchange("GET \(path)", "article", showing: { .text($0) }) { request in
      "edition \(request.number)"
    }
  }
}

extension ArticleScreen {
  var shown: Trace.Value {
    switch self {
    case .empty: "empty"
    case .loading: "loading"
    case .loaded(let article): .text(article.title)
    case .failed: "failed"
    }
  }
}
