internal import SimulatorCore

extension Explorer.Report {
  /// The occurrences that were expected in some schedule and seen in none, one sentence each. A sentence gives the
  /// number of schedules tried, and says if the covered schedules rule the occurrence out.
  public var neverHappenedTexts: [String] {
    neverHappened.map { "“\($0)” never happened in \(lookedAt)" }
  }

  private var lookedAt: String {
    let tried = "\(schedules.grouped) \(schedules == 1 ? "schedule" : "schedules")"
    guard let coveredText, rulesOut else {
      return tried + "; a longer search, or another strategy, may show it"
    }
    return coverage == .everySchedule
      ? "\(tried), and cannot: \(coveredText)" : "\(tried), and cannot within this bound: \(coveredText)"
  }

  /// True if the coverage shows that nothing else can happen. One schedule per behavior does not show this: another
  /// schedule of the same behavior may pass through other states.
  private var rulesOut: Bool {
    switch coverage {
    case .everySchedule, .deviations, .stories: true
    case .everyBehavior, nil: false
    }
  }
}
