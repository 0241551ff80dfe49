internal import SimulatorCore
internal import SimulatorKernel

// The end of a search's time.

extension Search {
  /// True if the real time that the search may take is over. One schedule is always tried, unless it does not end.
  var isOutOfTime: Bool {
    isCutShort || report.schedules > 0 && runner.isOutOfTime
  }

  /// Notes that an execution had not ended when the time was over.
  mutating func cutShort() {
    isCutShort = true
    report.warn(Explorer.Report.unendedExecution)
  }

  /// Reports findings that there is no time to replay.
  mutating func report(unconfirmed found: Simulation.Execution, _ invariants: [String]) {
    report.warn("what was found last is neither replayed nor shrunk: the time of the search was over")
    found.violations.filter { invariants.contains($0.invariant) }.forEach { report.add($0) }
  }

  /// Runs a schedule once more, with patience, after its execution was given up for the time or the memory that it took. The
  /// cause may have been a slow machine, and not the program.
  mutating func secondOpinion(on outcome: Runner.Outcome) -> Runner.Outcome {
    guard let found = outcome.execution else { return outcome }
    let again = runner.replaying(found.schedule) {
      runner.execute(number, seed: explorer.seed, keepingEvents: true)
    }
    if again.isCostly || again.isCutShort { return outcome }
    report.warn(
      "schedule \(number + 1) was given up for the time or the memory that it took, and ended when it was "
        + "run again: what counts is how it ended")
    return again
  }

  static let isTooCostly =
    "not shrunk: its schedules take too much time or memory to end in the same way each time"

  /// Reports `violation`, which ended a replay for the time or the memory that it took, at another step than before or although
  /// nothing had ended the execution before. How far such an execution gets depends on the machine.
  mutating func report(unshrunk violation: Invariant.Violation) {
    report.warn(Self.isTooCostly)
    report.add(violation)
  }
}

extension Simulation.Execution {
  /// The violation that ended this execution, if the time or the memory that it took may have decided that.
  var endByLimit: Invariant.Violation? {
    violations.first { Invariant.BuiltIn.takesTime($0.invariant) }
  }
}
