/// The routes of the fakes that an execution has made, and the requests that came to none of them.
final class FakeRoutes: ExecutionTable {
  /// The routes, each with true if it was requested.
  private(set) var requested: [FakeRoute: Bool] = [:]
  /// The requests that fit no route, each once.
  private(set) var unmatched: Set<FakeRoute> = []

  var isFresh: Bool { requested.isEmpty && unmatched.isEmpty }

  func removeAll() {
    guard !isFresh else { return }
    requested.removeAll(keepingCapacity: true)
    unmatched.removeAll(keepingCapacity: true)
  }

  func add(_ route: FakeRoute) { requested[route] = requested[route] ?? false }

  func request(_ route: FakeRoute) { requested[route] = true }

  func request(unmatched request: FakeRoute) { unmatched.insert(request) }
}

/// A route of a fake, or a request that came to it.
package struct FakeRoute: Hashable, Codable, Sendable, Comparable {
  package let fake: String
  /// For example `GET /inbox`.
  package let route: String

  package static func < (one: Self, other: Self) -> Bool {
    (one.fake, one.route) < (other.fake, other.route)
  }
}
