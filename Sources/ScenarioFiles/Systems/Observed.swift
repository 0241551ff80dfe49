public import Simulator

/// One thing that a system shows or holds: a screen, a cache, a disk.
///
/// Read after every step, so what is read ought to be cheap to compare: an array that has not changed is.
/// Between steps `assumeIsolated` succeeds on every actor.
public struct Observed {
  /// The name in traces and for invariants.
  public let name: String
  package let install: @MainActor (Simulation) -> Void

  // Inlined into the system's own module, where the compiler knows the snapshot's type: a search reads it millions of times.

  /// A snapshot and how it is shown.
  @inlinable
  public init<Snapshot: Equatable & Sendable>(
    _ name: String, of snapshot: @escaping @MainActor @Sendable () -> Snapshot,
    shown value: @escaping @Sendable (Snapshot) -> Trace.Value
  ) {
    self.init(name) { simulation in
      var last = snapshot()
      simulation.record(.changed(name: name, from: .none, to: value(last)))
      simulation.observe(name) {
        let now = snapshot()
        guard now != last else { return nil }
        defer { last = now }
        return (value(last), value(now))
      }
    }
  }

  /// Observes `snapshot`, a part of what `store` holds, and shows it as `value` says. It is read when the store has changed.
  ///
  /// ```swift
  /// Observed("disk", in: store, of: { $0.held("count", as: Int.self) ?? 0 }) { .int($0) }
  /// ```
  @inlinable
  public init<Snapshot: Equatable & Sendable>(
    _ name: String, in store: FakeStore, of snapshot: @escaping @MainActor @Sendable (FakeStore) -> Snapshot,
    shown value: @escaping @Sendable (Snapshot) -> Trace.Value
  ) {
    self.init(name) { simulation in
      let readsEverything = simulation.readsEverything
      var revision = store.revision
      var last = snapshot(store)
      simulation.record(.changed(name: name, from: .none, to: value(last)))
      simulation.observe(name) {
        guard readsEverything || store.revision != revision else { return nil }
        revision = store.revision
        let now = snapshot(store)
        guard now != last else { return nil }
        defer { last = now }
        return (value(last), value(now))
      }
    }
  }

  @usableFromInline
  init(_ name: String, install: @escaping @MainActor (Simulation) -> Void) {
    self.name = name
    self.install = install
  }
}
