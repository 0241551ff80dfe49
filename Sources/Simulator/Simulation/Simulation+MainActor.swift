// For models of the main actor: the same as in `Simulation.swift`, for closures that are given as `onMain:`. Without that
// label a closure belongs to no actor; so these are chosen by it alone.

extension Simulation {
  /// `condition` must hold after every step, and reads the main actor:
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

  /// `problem` must answer nil after every step, and reads the main actor; what else it answers is the violation's sentence.
  @_disfavoredOverload
  public func always(_ name: String, onMain problem: @escaping @MainActor @Sendable () -> String?) {
    always(name, problem: { MainActor.assumeIsolated(problem) })
  }

  /// `condition` must have held, after some step, within `bound` of virtual time from now, and reads the main actor; it need
  /// not stay true.
  @_disfavoredOverload
  public func eventually(
    _ name: String, within bound: Duration, onMain condition: @escaping @MainActor @Sendable () -> Bool
  ) {
    eventually(name, within: bound) { MainActor.assumeIsolated(condition) }
  }

  /// `action` comes to the main actor once, at a moment of the strategy's choosing, as what the user does comes there: it runs
  /// when the main actor is free. By nature that is when all is at rest. Reports call it `name`.
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
