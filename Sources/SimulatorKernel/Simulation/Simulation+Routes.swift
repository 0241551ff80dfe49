// The requests to the fakes of an execution.

extension Simulation {
  /// Notes that `fake` has been made, and has these routes.
  package func has(routes: some Sequence<String>, of fake: String) {
    let scheduler = checked
    guard scheduler.limits.notesAdvice else { return }
    for route in routes { scheduler.tables.routes.add(FakeRoute(fake: fake, route: route)) }
  }

  /// Notes that a request has come to `route` of `fake`; if `isMatched` is false, no route of the fake fits it.
  package func requests(_ route: String, of fake: String, isMatched: Bool) {
    let scheduler = checked
    guard scheduler.limits.notesAdvice else { return }
    let route = FakeRoute(fake: fake, route: route)
    isMatched
      ? scheduler.tables.routes.request(route) : scheduler.tables.routes.request(unmatched: route)
  }
}
