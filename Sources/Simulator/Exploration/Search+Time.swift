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
}
