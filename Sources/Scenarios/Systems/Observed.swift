public import Simulator

/// One thing that a system shows or holds: a screen, a cache, a disk.
///
/// Read after every step, so what is read ought to be cheap to compare: an array that has not changed is.
/// Between steps `assumeIsolated` succeeds on every actor.
public struct Observed {
  /// What traces and invariants call it.
  public let name: String
  let install: @MainActor (Simulation) -> Void

  /// A snapshot and how it is shown.
  public init<Snapshot: Equatable & Sendable>(
    _ name: String, of snapshot: @escaping @MainActor @Sendable () -> Snapshot,
    shown value: @escaping @Sendable (Snapshot) -> Value
  ) {
    self.name = name
    install = { simulation in
      // The trace begins with what everything holds.
      simulation.record(.changed(name: name, from: .none, to: value(snapshot())))
      simulation.observe(name, { MainActor.assumeIsolated { snapshot() } }, as: value)
    }
  }
}
