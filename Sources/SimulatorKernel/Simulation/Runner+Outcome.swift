package import SimulatorCore
package import SimulatorStrategyInterface

extension Runner {
  /// The name of what a search through all behaviors does not follow if steps are atomic.
  static let unguarded = "memory that nothing guards"

  package struct Outcome: Codable {
    package let summary: Strategies.ExecutionSummary
    /// True if its schedule was generated without regard to any other.
    package var isIndependent: Bool
    package let warnings: [String]
    /// The invariants whose monitors had nothing to judge; nil if that is not reported.
    package let vacuous: [String]?
    /// The conditions that must occur in some execution, with true for each that has occurred in this one.
    package let occurrences: [String: Bool]
    /// True if it took real time or memory to learn how it ends.
    package let isCostly: Bool
    /// True if it was stopped because the time that the search may take was over.
    package let isCutShort: Bool
    /// True if it was a livelock that took many steps to recognize.
    package let isLong: Bool
    /// True if schedules next to it were left out because they are not fair.
    package let skippedUnfairSchedules: Bool
    /// The means by which steps shared state that a search through all behaviors does not follow; nil if none was
    /// observed.
    package let unseen: String?
    /// True if tasks share something that only overlapping can show, and steps were atomic.
    package let needsOverlap: Bool
    /// True if steps were run atomically although they may overlap.
    package let keptWhole: Bool
    /// True if observed values were no longer read, because a step was parked.
    package let stoppedObserving: Bool
    /// True if it ended at its time limit in a way from which nothing can be concluded.
    package var isUnjudged = false
    /// The advice for a passing test.
    package var advice = AdviceNotes.none
    /// The pairs of ends of timers that it is the first to show; nil if there is none.
    package var pairs: EndPairs.News?
    /// The accesses to memory that nothing known orders.
    package let suspicions: [SuspectedRace]
    package let execution: Simulation.Execution?

    package init(
      summary: Strategies.ExecutionSummary, isIndependent: Bool, warnings: [String], vacuous: [String]?,
      occurrences: [String: Bool], isCostly: Bool, isCutShort: Bool, isLong: Bool,
      skippedUnfairSchedules: Bool,
      unseen: String?, needsOverlap: Bool, keptWhole: Bool, stoppedObserving: Bool, isUnjudged: Bool = false,
      advice: AdviceNotes = .none, pairs: EndPairs.News? = nil, suspicions: [SuspectedRace],
      execution: Simulation.Execution?
    ) {
      (self.summary, self.isIndependent, self.warnings) = (summary, isIndependent, warnings)
      (self.vacuous, self.occurrences, self.isCostly) = (vacuous, occurrences, isCostly)
      (self.isCutShort, self.isLong, self.skippedUnfairSchedules) = (
        isCutShort, isLong, skippedUnfairSchedules
      )
      (self.unseen, self.needsOverlap, self.keptWhole) = (unseen, needsOverlap, keptWhole)
      (self.stoppedObserving, self.isUnjudged, self.suspicions) = (stoppedObserving, isUnjudged, suspicions)
      (self.advice, self.pairs, self.execution) = (advice, pairs, execution)
    }
  }
}

extension Runner {
  /// True if everything must end as soon as it can.
  package var isToStop: Bool { recorder.isToStop }

  /// True if the real time that may be spent is over.
  package var isOutOfTime: Bool { wasCutShort || recorder.isOutOfTime() }
  /// True if that time has been over for so long that findings are no longer made smaller; `isTooLate` is true if they
  /// are no longer replayed either.
  package var isLate: Bool { wasCutShort || recorder.isOutOfTime(by: .milliseconds(200)) }
  package var isTooLate: Bool { wasCutShort || recorder.isOutOfTime(by: .milliseconds(400)) }
}
