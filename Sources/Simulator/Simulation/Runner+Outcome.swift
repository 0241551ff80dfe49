extension Runner {
  /// The name of what a search through all behaviors does not follow if steps are atomic.
  static let unguarded = "memory that nothing guards"

  struct Outcome: Codable {
    let summary: Strategies.ExecutionSummary
    /// True if its schedule was generated without regard to any other.
    var isIndependent: Bool
    let warnings: [String]
    /// The invariants whose monitors had nothing to judge; nil if that is not reported.
    let vacuous: [String]?
    /// The conditions that must occur in some execution, with true for each that has occurred in this one.
    let occurrences: [String: Bool]
    /// True if it took real time or memory to learn how it ends.
    let isCostly: Bool
    /// True if it was stopped because the time that the search may take was over.
    let isCutShort: Bool
    /// True if it was a livelock that took many steps to recognize.
    let isLong: Bool
    /// True if schedules next to it were left out because they are not fair.
    let leftUnfairOut: Bool
    /// The means by which steps shared state that a search through all behaviors does not follow; nil if none was
    /// observed.
    let unseen: String?
    /// True if tasks share something that only overlapping can show, and steps were atomic.
    let needsOverlap: Bool
    /// True if steps were run atomically although they may overlap.
    let keptWhole: Bool
    /// True if observed values were no longer read, because a step was parked.
    let lookedAway: Bool
    /// True if it ended at its time limit in a way from which nothing can be concluded.
    var isUnjudged = false
    /// The advice for a passing test.
    var advice = AdviceNotes.none
    /// The accesses to memory that nothing known orders.
    let suspicions: [SuspectedRace]
    let execution: Simulation.Execution?
  }
}

extension Runner {
  /// True if everything must end as soon as it can.
  var isToStop: Bool { recorder.isToStop }

  /// True if the real time that may be spent is over.
  var isOutOfTime: Bool { wasCutShort || recorder.isOutOfTime() }
  /// True if that time has been over for so long that findings are no longer made smaller; `isTooLate` is true if they
  /// are no longer replayed either.
  var isLate: Bool { wasCutShort || recorder.isOutOfTime(by: .milliseconds(200)) }
  var isTooLate: Bool { wasCutShort || recorder.isOutOfTime(by: .milliseconds(400)) }
}
