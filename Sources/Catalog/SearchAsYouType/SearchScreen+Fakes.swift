import Foundation
import Scenarios
import Simulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension World {
  /// The search service behind `URLSession`: a result a line. And the screen, whose state cannot be read while steps of
  /// Foundation's queues overlap.
  func searchServer() -> (SessionSearchService, WrittenScreen<SearchScreen>) {
    webServer("network", showing: { .list($0.split(separator: "\n").map { .text(String($0)) }) }) {
      $0.foundLines
    }
    return (SessionSearchService(), WrittenScreen("screen", showing: SearchScreen(), as: \.shown))
  }
}

extension URLRequest {
  fileprivate var foundLines: String {
    let items = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems
    let query = items?.first { $0.name == "text" }?.value ?? ""
    return "\(query)…\n\(query)!"
  }
}

extension WrittenScreen<SearchScreen>: SearchDisplay {}

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
