import Simulator

extension FakeNetwork: SearchService {
  nonisolated func results(for query: String) async throws -> [String] {
    try await exchange("GET /search", .text(query), showing: { .list($0.map { .text($0) }) }) { _ in
      ["\(query)…", "\(query)!"]
    }
  }
}

extension SearchScreen {
  var shown: Trace.Value {
    .record([
      .init("query", .text(query)), .init("phase", .text(phase.rawValue)),
      .init("results", .list(results.map { .text($0) })),
    ])
  }
}
