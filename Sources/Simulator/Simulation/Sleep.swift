internal import CConcurrencyHooks

extension Simulation {
  /// Sleeps for `range.lowerBound` at least and `range.upperBound` at most: for fakes whose delays are ranges.
  ///
  /// When it ends is not decided when it begins but as time moves. At its low end it goes on, which is natural, or is
  /// put off; from then on, each time that time is about to move, it may end, before what is due next or together with
  /// it; at its high end it ends in any case. So every order of its end and of other timers, set before or after, takes
  /// two deviations at most. Systematic strategies try it at its low end, where time stops for something else, and at its
  /// high end; random ones draw a moment from the whole range.
  ///
  /// `Task.sleep(for:tolerance:)` is such a sleep too; without a tolerance a sleep is exact. Outside a simulation it
  /// sleeps for the low end.
  ///
  /// - Parameter range: Not negative.
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  nonisolated(nonsending) public static func sleep(in range: ClosedRange<Duration>) async throws {
    refuse(
      if: range.lowerBound < .zero,
      "nobody can sleep for \(range.lowerBound.shortText): give Simulation.sleep(in:) a range from zero on")
    try await Simulator.sleep(range, about: "a sleep")
  }
}

/// What ``Simulation/sleep(in:)`` does, for callers in this module; reports say that it is `subject` which takes so long.
/// With `putOff` it has been put off at its low end, which is zero. No method: see `spendTime`.
func sleep(
  _ range: ClosedRange<Duration>, about subject: String, putOff: TimerRange? = nil
) async throws {
  guard range.lowerBound < range.upperBound, let simulation = Simulation.current else {
    guard range.lowerBound > .zero else { return try Task.checkCancellation() }
    return try await Task.sleep(for: range.lowerBound)
  }
  let scheduler = simulation.scheduler
  scheduler.recorder.nextTimer(subject)
  if range.lowerBound == .zero {
    guard let putOff = putOff ?? scheduler.putOff(atMost: range.upperBound.wholeNanoseconds) else {
      return try Task.checkCancellation()
    }
    scheduler.reserve(putOff)
  }
  try await Task.sleep(for: range.lowerBound, tolerance: range.upperBound - range.lowerBound)
}
