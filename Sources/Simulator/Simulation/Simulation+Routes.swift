// What the fakes of an execution are asked for.

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
