internal import SimulatorCore
internal import SimulatorKernel

// A clock stands still at each instant of virtual time, but a real one moves on between two reads. So code that divides by the time
// between them, or takes the newer of two time stamps, can fail in a simulation and never on a machine.

extension Search {
  /// Returns true if no clock that stands still makes this violation. Otherwise, warns of it.
  mutating func isOfProgram(_ violation: Invariant.Violation) -> Bool {
    if isShownWithSpacedReads(violation) { return true }
    let reason = "is violated only if two reads of the clock return the same nanosecond"
    report.warn("not reported: \(violation.invariant) \(reason)")
    return false
  }

  /// Returns true unless the schedule of `violation` shows it no longer once each read of a clock at that instant is a nanosecond later
  /// than the one before, and everything up to there happens as it did. Runs the schedule once or twice.
  func isShownWithSpacedReads(_ violation: Invariant.Violation) -> Bool {
    let (outcome, replay) = replayed(violation, spacing: violation.time)
    let isComplete = !outcome.isCutShort && !outcome.isCostly && runner.spacedReads > 1
    guard isComplete, let spaced = outcome.execution else { return true }
    if spaced.violations.contains(where: { $0.invariant == violation.invariant }) { return true }
    // A timer that was due at once may be due later now, and other steps may run before it. Such a run says nothing.
    let plain = replayed(violation, spacing: nil)
    let before = plain.strategy.stepsAtChoices.prefix { $0 < violation.step }
    let isSame = replay.stepsAtChoices.prefix { $0 < violation.step } == before
    let choices = plain.result.execution?.choices.prefix(before.count)
    return !isSame || spaced.choices.prefix(before.count) != choices
  }

  private func replayed(
    _ violation: Invariant.Violation, spacing instant: VirtualInstant?
  ) -> (result: Runner.Outcome, strategy: LandmarkReplay) {
    let schedule = violation.token.schedule
    runner.spacedInstant = instant
    defer { runner.spacedInstant = nil }
    return runner.at(schedule) {
      runner.with(LandmarkReplay(.positions(schedule))) {
        runner.execute(violation.number, seed: explorer.seed, keepingEvents: true)
      }
    }
  }
}
