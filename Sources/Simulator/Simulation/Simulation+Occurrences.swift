/// What must happen in at least one schedule of a search, and what in none; after the assertions of Antithesis of the same names.
///
/// An invariant that never had anything to judge, and a test in which the race never took place, pass in silence. These say what
/// a search must have seen:
///
/// ```swift
/// let report = explore("a failed upload is tried again") { simulation in
///   simulation.sometimes("two uploads overlap") { uploads.assumeIsolated { $0.count > 1 } }
///   simulation.reachable("retry")
///   try await upload()  // calls Simulation.current?.reached("retry")
/// }
/// ```
///
/// A search that ends without having seen it fails: ``Explorer/Report/holds`` is false, a test by the trait has an issue, and
/// `simrun` says NEVER HAPPENED. One execution says nothing: a replay is not judged by it, nor is a search that was ended by a
/// violation.
extension Simulation {
  /// `condition` must be true after some step of at least one schedule. It is asked like that of ``always(_:_:)``, where no step
  /// stands in its middle, until it was true; it must not change anything. O(1) a step.
  public func sometimes(_ name: String, _ condition: @escaping @Sendable () -> Bool) {
    checked.monitors.expect(name, condition)
  }

  /// `condition` must be true here in at least one schedule. Where no schedule gets here, nothing is known of it: to demand that,
  /// too, say ``reachable(_:)`` at the beginning. O(1).
  public func sometimes(_ name: String, _ condition: Bool) {
    let monitors = checked.monitors
    monitors.expect(name)
    if condition { monitors.occurred(name) }
  }

  /// At least one schedule must come to ``reached(_:)`` with this name. Said at the beginning of the body. O(1).
  public func reachable(_ name: String) {
    checked.monitors.expect(name)
  }

  /// This schedule has come to what ``reachable(_:)`` demands. O(1).
  public func reached(_ name: String) {
    checked.monitors.occurred(name)
  }

  /// No schedule may come here: one that does violates `name`. O(1).
  public func unreachable(_ name: String) {
    fail(name, "what is not to be reached was reached")
  }
}
