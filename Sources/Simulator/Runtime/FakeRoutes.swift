/// The routes of the fakes that an execution has made, and the requests that came to none of them.
final class FakeRoutes: ExecutionTable {
  /// Whether each route was requested.
  private(set) var requested: [FakeRoute: Bool] = [:]
  /// The requests that no route fits, each once.
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
  let fake: String
  /// `GET /inbox`.
  let route: String

  package static func < (one: Self, other: Self) -> Bool {
    (one.fake, one.route) < (other.fake, other.route)
  }
}

extension Simulation {
  /// The fake `fake` has been made, and has these routes.
  package func has(routes: some Sequence<String>, of fake: String) {
    let scheduler = checked
    guard scheduler.limits.notesAdvice else { return }
    for route in routes { scheduler.tables.routes.add(FakeRoute(fake: fake, route: route)) }
  }

  /// A request has come to `route` of `fake`; where `isMatched` is false, no route of the fake fits it.
  package func requests(_ route: String, of fake: String, isMatched: Bool) {
    let scheduler = checked
    guard scheduler.limits.notesAdvice else { return }
    let route = FakeRoute(fake: fake, route: route)
    isMatched
      ? scheduler.tables.routes.request(route) : scheduler.tables.routes.request(unmatched: route)
  }
}
