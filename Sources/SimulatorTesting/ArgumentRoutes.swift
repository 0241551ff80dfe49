internal import Simulator
internal import Testing

/// The routes of fakes that the arguments of a parameterized test request. A route is reported if no argument requests it.
final class ArgumentRoutes: Sendable {
  @TaskLocal static var current: ArgumentRoutes?

  private let advice = Guarded(Explorer.Advice())
  /// True if the search of an argument has ended early, so that routes may not have had their turn.
  private let hasFailed = Guarded(false)

  /// Runs all arguments of `test`, and then records a warning at `place` if one of their routes was never requested.
  static func sharing(
    by test: Test, at place: SourceLocation, _ function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard test.isParameterized, current == nil else { return try await function() }
    let routes = ArgumentRoutes()
    try await $current.withValue(routes, operation: function)
    let hasFailed = routes.hasFailed.withLock(\.self)
    guard !hasFailed, let sentence = routes.advice.withLock(\.sentence) else { return }
    Issue.record("\(sentence)", severity: .warning, sourceLocation: place)
  }

  /// Takes over what `report`, the search of one argument, knows of routes.
  func take(from report: inout Explorer.Report) {
    if !report.holds { hasFailed.withLock { $0 = true } }
    advice.withLock { advice in report.advice.moveRoutes(to: &advice) }
  }
}
