// The end of a search's time.

extension Search {
  /// Whether the real time is over that the search may take. One schedule is always tried, unless it does not end.
  var isOutOfTime: Bool {
    isCutShort || report.schedules > 0 && runner.isOutOfTime
  }

  /// An execution had not ended when the time was over.
  mutating func cutShort() {
    isCutShort = true
    report.warn("the execution that ran when the time was over had not ended and is not judged: it may hang")
  }

  /// There is no time to replay what was found.
  mutating func report(unconfirmed found: Simulation.Execution, _ invariants: [String]) {
    report.warn("what was found last is neither replayed nor shrunk: the time of the search was over")
    found.violations.filter { invariants.contains($0.invariant) }.forEach { report.add($0) }
  }

  /// An execution was given up for the time or the memory that it took. Perhaps the machine was slow, and not the
  /// program: the same schedule once more, and with patience.
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

  /// `violation` has ended a replay, at another step than before or where nothing had ended it yet, for the time or the memory that
  /// it took: how far it comes depends on the machine.
  mutating func report(unshrunk violation: Invariant.Violation) {
    report.warn(Self.isTooCostly)
    report.add(violation)
  }
}

extension Simulation.Execution {
  /// What has ended this execution, where that may be told by the time or the memory that it took.
  var endByLimit: Invariant.Violation? {
    violations.first { Invariant.BuiltIn.takesTime($0.invariant) }
  }
}
