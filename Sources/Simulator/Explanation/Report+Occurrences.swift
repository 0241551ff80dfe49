extension Explorer.Report {
  /// What is to happen in some schedule and has in none, a sentence each: how many schedules were looked at, and whether it
  /// cannot happen in those that were covered.
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

  /// Whether what was covered shows that something else cannot happen. One schedule of each behaviour does not: another of
  /// the same behaviour may pass through other states.
  private var rulesOut: Bool {
    switch coverage {
    case .everySchedule, .deviations, .stories: true
    case .everyBehaviour, nil: false
    }
  }
}
