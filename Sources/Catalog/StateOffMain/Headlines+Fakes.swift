package import CatalogInSwift5
package import Simulator

extension FakeNetwork: HeadlinesService {
  /// The n-th request gets the n-th edition.
  package nonisolated func headlines() async throws -> [Headline] {
    try await exchange("GET /headlines", showing: \.shown) { request in
      [Headline(text: "edition \(request.number)")]
    }
  }
}

extension [Headline] {
  var shown: Trace.Value { .list(map { .text($0.text) }) }
}

extension HeadlinesScreen {
  var shown: Trace.Value {
    switch self {
    case .empty: "empty"
    case .loading: "loading"
    case .loaded(let headlines): headlines.shown
    case .failed: "failed"
    }
  }
}
