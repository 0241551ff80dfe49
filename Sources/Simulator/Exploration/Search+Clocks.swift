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

  /// Returns false if the violation goes away once each read of a clock at its instant is a nanosecond later than the one before, while
  /// all else happens as before. Runs the schedule once or twice.
  func isShownWithSpacedReads(_ violation: Invariant.Violation) -> Bool {
    let (outcome, replay) = replayed(violation, spacing: violation.time)
    let isComplete = !outcome.isCutShort && !outcome.isCostly && runner.spacedReads > 1
    guard isComplete, let spaced = outcome.execution else { return true }
    if spaced.violations.contains(where: { $0.invariant == violation.invariant }) { return true }
    // The program may keep state between executions, so that it no longer fails at all. And a timer that was due at once may be due
    // later now, so that other steps run before it. Neither says anything about the clock.
    let (plainOutcome, plainReplay) = replayed(violation, spacing: nil)
    guard let plain = plainOutcome.execution,
      plain.violations.contains(where: { $0.invariant == violation.invariant })
    else { return true }
    let before = plainReplay.stepsAtChoices.prefix { $0 < violation.step }
    return replay.stepsAtChoices.prefix { $0 < violation.step } != before
      || spaced.choices.prefix(before.count) != plain.choices.prefix(before.count)
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
