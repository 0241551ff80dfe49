package import Simulator

/// The failures that a simulated test body reports: each is a violation of the schedule in which it is
/// reported, and is held back until the search is over.
package final class HeldFailures<Failure: Sendable>: Sendable {
  private struct State {
    /// The schedule that runs, and its failures by the name of the invariant that they violate.
    var simulation: ObjectIdentifier?
    var failures: [String: Failure] = [:]
    var error: (any Error)?
    /// The names of all schedules so far.
    var names: Set<String> = []
  }

  private let state = Guarded(State())

  package init() {}

  /// Runs `body` as the root of one schedule.
  ///
  /// - Parameter isReported: Whether an error that `body` throws is one that the testing library has reported
  ///   already. The second argument says whether this schedule has reported anything.
  package func run(
    _ body: @escaping @Sendable @concurrent () async throws -> Void, in simulation: Simulation,
    ignoring isReported: @Sendable (any Error, Bool) -> Bool
  ) async throws {
    state.withLock { state in
      state.simulation = ObjectIdentifier(simulation)
      state.failures = [:]
      state.error = nil
    }
    do {
      try await body()
    } catch {
      if isReported(error, state.withLock { !$0.failures.isEmpty }) { return }
      state.withLock { $0.error = error }
      throw error
    }
  }

  /// The simulation that the caller runs in, if it runs the schedule of this test; nil elsewhere.
  package var simulation: Simulation? {
    guard let simulation = Simulation.current,
      state.withLock({ $0.simulation == ObjectIdentifier(simulation) })
    else { return nil }
    return simulation
  }

  /// Holds `failure` back as a violation of the invariant `name`, which the trace knows as `mark`.
  package func hold(
    _ failure: Failure, violating name: String, _ message: String, mark: String, in simulation: Simulation
  ) {
    state.withLock { state in
      state.names.insert(name)
      if state.failures[name] == nil { state.failures[name] = failure }
    }
    simulation.fail(name, message, mark: mark)
  }

  /// Whether what violates `invariant` is something that the body reported or threw.
  package func mayHold(_ invariant: String) -> Bool {
    invariant == Invariant.BuiltIn.throws || state.withLock { $0.names.contains(invariant) }
  }

  /// What the last schedule that ran reported first of `invariant`; nil where it reported nothing.
  package func failure(of invariant: String) -> Failure? { state.withLock { $0.failures[invariant] } }

  /// What the body threw in the last schedule that ran; nil where it threw nothing.
  package var error: (any Error)? { state.withLock(\.error) }
}
