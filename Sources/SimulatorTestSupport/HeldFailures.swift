internal import Simulator

/// The failures that a simulated test body reports. Each is a violation in the schedule that reports it, and is held
/// back until the search is over.
package final class HeldFailures<Failure: Sendable>: Sendable {
  private struct State {
    /// The running schedule, and its failures by the name of the invariant that they violate.
    var simulation: ObjectIdentifier?
    var failures: [String: Failure] = [:]
    var error: (any Error)?
    /// The names of the invariants that all schedules so far have violated.
    var names: Set<String> = []
  }

  private let state = Guarded(State())

  package init() {}

  /// Runs `body` as the root of one schedule.
  ///
  /// - Parameter isReported: Returns true if the testing library has already reported an error that `body` throws. The
  ///   second argument is true if this schedule has reported anything.
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

  /// The simulation in which the caller runs, if it runs the schedule of this test; nil elsewhere.
  package var simulation: Simulation? {
    guard let simulation = Simulation.current,
      state.withLock({ $0.simulation == ObjectIdentifier(simulation) })
    else { return nil }
    return simulation
  }

  /// Holds `failure` back as a violation of the invariant `name`, which is called `mark` in the trace.
  package func hold(
    _ failure: Failure, violating name: String, _ message: String, mark: String, in simulation: Simulation
  ) {
    state.withLock { state in
      state.names.insert(name)
      if state.failures[name] == nil { state.failures[name] = failure }
    }
    simulation.fail(name, message, mark: mark)
  }

  /// Returns true if a violation of `invariant` may be something that the body reported or threw.
  package func mayHold(_ invariant: String) -> Bool {
    invariant == Invariant.BuiltIn.throws || state.withLock { $0.names.contains(invariant) }
  }

  /// Returns the first failure that the last schedule reported for `invariant`; nil if it reported none.
  package func failure(of invariant: String) -> Failure? { state.withLock { $0.failures[invariant] } }

  /// The error that the body threw in the last schedule; nil if it threw none.
  package var error: (any Error)? { state.withLock(\.error) }
}
