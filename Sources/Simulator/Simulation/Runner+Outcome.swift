extension Runner {
  /// What a search through all behaviours does not follow where steps are whole.
  static let unguarded = "memory that nothing guards"

  struct Outcome: Codable {
    let summary: Strategies.ExecutionSummary
    /// Whether its schedule was drawn without regard to any other.
    var isIndependent: Bool
    let warnings: [String]
    /// The invariants whose monitors had nothing to judge; nil where that is not said.
    let vacuous: [String]?
    /// What is to happen in some execution, and whether it has happened in this one.
    let occurrences: [String: Bool]
    /// Whether it took real time or memory to learn how it ends.
    let isCostly: Bool
    /// Whether it was left off because the time was over that the search may take.
    let isCutShort: Bool
    /// Whether it was a livelock, and that took many steps to learn.
    let isLong: Bool
    /// Whether schedules beside it were left out because they are not fair.
    let leftUnfairOut: Bool
    /// Through what steps shared state that a search through all behaviours does not follow, where that was seen.
    let unseen: String?
    /// Whether tasks share what only an overlap of steps can show, and steps were whole.
    let needsOverlap: Bool
    /// Whether steps were run as wholes although they may overlap.
    let keptWhole: Bool
    /// Whether what is observed was looked at no more, because a step stood.
    let lookedAway: Bool
    /// Whether it ended at its limit of time in a way from which nothing can be concluded.
    var isUnjudged = false
    /// What a passing test should say.
    var advice = AdviceNotes.none
    /// Accesses to memory that nothing known orders.
    let suspicions: [SuspectedRace]
    let execution: Simulation.Execution?
  }
}

extension Runner {
  /// Whether everything is to end as soon as it can.
  var isToStop: Bool { recorder.isToStop }

  /// Whether the real time is over that may be spent.
  var isOutOfTime: Bool { wasCutShort || recorder.isOutOfTime() }
  /// Whether what was found may be made no smaller, and at last not be replayed, because it is over for long.
  var isLate: Bool { wasCutShort || recorder.isOutOfTime(by: .milliseconds(200)) }
  var isTooLate: Bool { wasCutShort || recorder.isOutOfTime(by: .milliseconds(400)) }
}
