internal import CConcurrencyHooks

extension Simulation {
  /// Work that costs time: suspends the task for `duration` and keeps its domain closed until then.
  ///
  /// Nothing else runs on the caller's actor meanwhile, other domains go on, and a cancel may land but does not cut
  /// the work short. On the concurrent pool it is a plain wait. Outside a simulation the time passes on the real
  /// clock, and the caller's actor stays reentrant.
  ///
  /// - Parameter duration: Not negative.
  nonisolated(nonsending) public static func spend(_ duration: Duration) async {
    refuse(
      if: duration < .zero,
      "work cannot cost \(duration.shortText): give Simulation.spend a duration from zero on")
    guard duration > .zero else { return }
    guard let simulation = current else {
      await Task.detached { try? await Task.sleep(for: duration) }.value
      return
    }
    simulation.record(.spent(duration))
    unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
      simulation.scheduler.spend(duration.wholeNanoseconds)
    }
  }
}
