/// Conditions that must occur in at least one schedule of a search, or in none; after the assertions of Antithesis with
/// the same names.
///
/// An invariant that never had anything to judge passes in silence, and so does a test in which the race never took
/// place. These functions say what a search must have seen:
///
/// ```swift
/// let report = explore("a failed upload is tried again") { simulation in
///   simulation.sometimes("two uploads overlap") { uploads.assumeIsolated { $0.count > 1 } }
///   simulation.expectReached("retry")
///   try await upload()  // calls Simulation.current?.markReached("retry")
/// }
/// ```
///
/// A search that ends without having seen it fails: ``Explorer/Report/holds`` is false, a test with the trait records
/// an issue, and `simrun` prints NEVER HAPPENED. A single execution proves nothing: a replay is not judged by it, nor
/// is a search that ended with a violation.
extension Simulation {
  /// Requires that `condition` is true after some step of at least one schedule. Like that of ``always(_:_:)``, it is
  /// evaluated when no step is parked, until it has been true. It must not change anything. O(1) per step.
  public func sometimes(_ name: String, _ condition: @escaping @Sendable () -> Bool) {
    checked.monitors.expect(name, condition)
  }

  /// Requires that `condition` is true here in at least one schedule. If no schedule gets here, nothing is known of it:
  /// to require that too, call ``expectReached(_:)`` at the beginning. O(1).
  public func sometimes(_ name: String, _ condition: Bool) {
    let monitors = checked.monitors
    monitors.expect(name)
    if condition { monitors.occurred(name) }
  }

  /// Requires that at least one schedule comes to ``markReached(_:)`` with this name. Call it at the beginning of the body.
  /// O(1).
  public func expectReached(_ name: String) {
    checked.monitors.expect(name)
  }

  /// Notes that this schedule has reached what ``expectReached(_:)`` requires. O(1).
  public func markReached(_ name: String) {
    checked.monitors.occurred(name)
  }

  /// Requires that no schedule comes here: one that does violates `name`. O(1).
  public func unreachable(_ name: String) {
    fail(name, "what is not to be reached was reached")
  }
}
