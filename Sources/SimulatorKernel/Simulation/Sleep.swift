internal import CConcurrencyHooks
internal import SimulatorCore

extension Simulation {
  /// Sleeps for `range.lowerBound` at least and `range.upperBound` at most: for fakes whose delays are ranges.
  ///
  /// The end is not decided when the sleep begins but as time moves. At its low end the sleep ends, which is natural,
  /// or is put off. From then on, each time that time is about to move, it may end before what is due next or together
  /// with it. At its high end it ends in any case. So every order of its end and of other timers, set before or after,
  /// takes at most two deviations. Systematic strategies try its low end, the moments at which time stops for something
  /// else, and its high end; random ones choose a moment from the whole range.
  ///
  /// `Task.sleep(for:tolerance:)` is such a sleep, too; without a tolerance a sleep is exact. Outside a simulation the
  /// sleep takes as long as the low end.
  ///
  /// - Parameter range: Not negative.
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  nonisolated(nonsending) public static func sleep(in range: ClosedRange<Duration>) async throws {
    refuse(
      if: range.lowerBound < .zero,
      "nobody can sleep for \(range.lowerBound.shortText): give Simulation.sleep(in:) a range from zero on")
    try await SimulatorKernel.sleep(range, about: nil)
  }
}

/// Does the work of ``Simulation/sleep(in:)`` for callers in this module; reports name `subject`, a call of a fake, as what
/// takes so long. With `putOff` it has been put off at its low end, which is zero. It is not a method: see `spendTime`.
package func sleep(
  _ range: ClosedRange<Duration>, about subject: String?, putOff: TimerRange? = nil
) async throws {
  // If it has been put off, its end has a name already.
  if let subject, putOff == nil { nameNextTimer(subject) }
  guard range.lowerBound < range.upperBound, let simulation = Simulation.current else {
    guard range.lowerBound > .zero else { return try Questions.checkCancellation() }
    return try await Task.sleep(for: range.lowerBound)
  }
  let scheduler = simulation.scheduler
  if putOff == nil { scheduler.recorder.nextTimer(subject ?? "a sleep") }
  if range.lowerBound == .zero {
    guard let putOff = putOff ?? scheduler.putOff(atMost: range.upperBound.wholeNanoseconds) else {
      return try Questions.checkCancellation()
    }
    scheduler.reserve(putOff)
  }
  try await Task.sleep(for: range.lowerBound, tolerance: range.upperBound - range.lowerBound)
}
