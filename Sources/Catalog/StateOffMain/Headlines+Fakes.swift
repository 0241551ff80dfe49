package import CatalogInSwift5
import Foundation
import Scenarios
package import Simulator
import Synchronization

extension World {
  /// The newspaper behind `URLSession`: the n-th request that arrives gets the n-th edition. And the screen, whose state cannot
  /// be read while steps of Foundation's queues overlap.
  func newspaper() -> WrittenScreen<HeadlinesScreen> {
    let editions = Edition()
    webServer("network", showing: { .list([.text($0)]) }) { _ in editions.next() }
    return WrittenScreen("screen", showing: .empty, as: \.shown)
  }
}

extension WrittenScreen<HeadlinesScreen>: HeadlinesDisplay {}

/// The newest edition.
private final class Edition: Sendable {
  // A lock, since the server's side runs in a step of its own.
  private let number = Mutex(0)

  func next() -> String {
    number.withLock { number in
      number += 1
      return "edition \(number)"
    }
  }
}

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
