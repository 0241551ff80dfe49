// For models on the main actor: the functions of `Simulation.swift`, for closures that are given as `onMain:`. A
// closure without that label belongs to no actor, so only the label selects these overloads.

extension Simulation {
  /// Requires that `condition` holds after every step. It reads the main actor:
  ///
  /// ```swift
  /// simulation.always("is loading, or shows it", onMain: { model.isLoading || model.profile != nil })
  /// ```
  ///
  /// It runs between steps, as every condition does; it must not change anything.
  @_disfavoredOverload
  public func always(_ name: String, onMain condition: @escaping @MainActor @Sendable () -> Bool) {
    always(name) { MainActor.assumeIsolated(condition) }
  }

  /// Requires that `problem` returns nil after every step. It reads the main actor. Any text that it returns is the
  /// sentence of the violation.
  @_disfavoredOverload
  public func always(_ name: String, onMain problem: @escaping @MainActor @Sendable () -> String?) {
    always(name, problem: { MainActor.assumeIsolated(problem) })
  }

  /// Requires that `condition` has held, after some step, within `bound` of virtual time from now. It reads the main
  /// actor, and need not stay true.
  @_disfavoredOverload
  public func eventually(
    _ name: String, within bound: Duration, onMain condition: @escaping @MainActor @Sendable () -> Bool
  ) {
    eventually(name, within: bound) { MainActor.assumeIsolated(condition) }
  }

  /// Runs `action` on the main actor once, at a moment of the strategy's choosing. Like a user's action, it runs when
  /// the main actor is free. The natural moment is when everything is at rest. Reports call it `name`.
  ///
  /// ```swift
  /// simulation.anytime("leave", onMain: { model.disappear() })
  /// ```
  @_disfavoredOverload
  public func anytime(
    _ name: String = "an anytime action", onMain action: @escaping @MainActor @Sendable () -> Void
  ) {
    anytime(name) { _ = Task(name: name) { @MainActor in action() } }
  }
}
