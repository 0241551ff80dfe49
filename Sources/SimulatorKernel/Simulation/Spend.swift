internal import CConcurrencyHooks
internal import SimulatorCore

extension Simulation {
  /// Does work that costs time: suspends the task for `duration` and keeps its domain closed until then.
  ///
  /// Meanwhile nothing else runs on the caller's actor, and other domains go on. A cancel may arrive but does not stop
  /// the work early. On the concurrent pool it is a plain wait. Outside a simulation the time passes on the real clock,
  /// and the caller's actor stays reentrant.
  ///
  /// - Parameter duration: Not negative.
  nonisolated(nonsending) public static func spend(_ duration: Duration) async {
    refuse(
      if: duration < .zero,
      "work cannot cost \(duration.shortText): give Simulation.spend a duration from zero on")
    await spendTime(duration)
  }
}

/// Does the work of ``Simulation/spend(_:)`` for callers in this module.
///
/// It is not a method, because Swift 6.3 with optimization miscompiles a method that does not use `self`: the compiler
/// makes a copy without that argument, forgets that the copy runs where its caller does, and leaves out the caller's
/// hop back to its own actor before the call. The same holds for every other function here that takes its caller's
/// isolation and is awaited in this module. `isolation-check` in `Benchmarks` finds such a function.
package func spendTime(_ duration: Duration) async {
  guard duration > .zero else { return }
  guard let simulation = Simulation.current else {
    await Task.detached { try? await Task.sleep(for: duration) }.value
    return
  }
  simulation.record(.spent(duration))
  unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
    simulation.scheduler.spend(duration.wholeNanoseconds)
  }
}
