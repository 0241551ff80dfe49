internal import Simulator
internal import XCTest

/// The failures that a simulated body asserts: each is a violation of the schedule in which it is asserted, and is held
/// back until the search is over.
final class HeldFailures: Sendable {
  private struct State {
    /// The schedule that runs, and its failures by the name of what they violate.
    var simulation: ObjectIdentifier?
    var failures: [String: Failure] = [:]
    var names: Set<String> = []
    var skip: XCTSkip?
  }

  private let state = Guarded(State())

  /// Runs `body` as one schedule's root.
  func hold(
    in simulation: Simulation, _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) async throws {
    state.withLock { state in
      state.simulation = ObjectIdentifier(simulation)
      state.failures = [:]
      state.skip = nil
    }
    do {
      try await body()
    } catch {
      // `XCTUnwrap` throws what it has already said.
      if "\(type(of: error))" == "XCTestErrorWhileUnwrappingOptional", hasFailed { return }
      if let skip = error as? XCTSkip { state.withLock { $0.skip = skip } }
      throw error
    }
  }

  /// Whether `failure` is one of the schedule that runs, and so held back.
  func hold(_ failure: Failure) -> Bool {
    guard let simulation = Simulation.current,
      state.withLock({ $0.simulation == ObjectIdentifier(simulation) })
    else { return false }
    let name = failure.invariantName
    state.withLock { state in
      state.names.insert(name)
      if state.failures[name] == nil { state.failures[name] = failure }
    }
    simulation.fail(name, failure.message, mark: "assertion")
    return true
  }

  private var hasFailed: Bool { state.withLock { !$0.failures.isEmpty } }

  /// Whether what violates `invariant` is something that the body asserted or threw.
  func mayHold(_ invariant: String) -> Bool {
    invariant == BuiltIn.throws || state.withLock { $0.names.contains(invariant) }
  }

  /// What was asserted in the last schedule that ran, in violation of `invariant`; nil where nothing was.
  func failure(of invariant: String) -> Failure? { state.withLock { $0.failures[invariant] } }

  /// What the last schedule that ran skipped the test by.
  var skip: XCTSkip? { state.withLock(\.skip) }
}
