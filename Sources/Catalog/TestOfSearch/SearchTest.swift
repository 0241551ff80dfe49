/// A search as a test sees it: it can be awaited.
@MainActor protocol TestedSearch: AnyObject {
  var results: [String] { get }
  func search(for query: String) async
}

/// Shows what comes, in whatever order.
@MainActor final class UngatedSearch: TestedSearch {
  private(set) var results: [String] = []
  private let client: SearchClient

  init(service: any SearchService) {
    client = SearchClient(service: service)
  }

  func search(for query: String) async {
    guard let found = try? await client.results(for: query) else { return }
    results = found
  }
}

/// Shows what the newest search has found, and nothing of an older one.
@MainActor final class GatedSearch: TestedSearch {
  private(set) var results: [String] = []
  private var version = 0
  private let client: SearchClient

  init(service: any SearchService) {
    client = SearchClient(service: service)
  }

  func search(for query: String) async {
    version += 1
    let version = version
    guard let found = try? await client.results(for: query), version == self.version else { return }
    results = found
  }
}

/// A test of two searches, of which the newer is to win.
@MainActor protocol SearchTest {
  func run(_ search: any TestedSearch) async throws
}

/// What an assertion that fails throws.
struct ExpectationFailed: Error {
  let shown: [String]
}

extension TestedSearch {
  /// Asserts that nothing of the older search is shown.
  func expectNothing(of older: [String]) throws {
    if !results.isEmpty, results == older { throw ExpectationFailed(shown: results) }
  }
}
