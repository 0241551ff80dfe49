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

  /// Returns true if the schedule of `violation` shows it even if each read of a clock at that instant is a nanosecond later than the
  /// one before. Runs the schedule once.
  func isShownWithSpacedReads(_ violation: Invariant.Violation) -> Bool {
    runner.spacedInstant = violation.time
    defer { runner.spacedInstant = nil }
    let outcome = runner.replaying(violation.token.schedule) {
      runner.execute(violation.number, seed: explorer.seed, keepingEvents: true)
    }
    let isComplete = !outcome.isCutShort && !outcome.isCostly && runner.spacedReads > 1
    guard isComplete, let spaced = outcome.execution else { return true }
    return spaced.violations.contains { $0.invariant == violation.invariant }
  }
}
