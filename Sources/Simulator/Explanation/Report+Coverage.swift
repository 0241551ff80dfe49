extension Explorer.Report {
  /// How much was tried: all of something, when that is so, else what the schedules tried let one expect.
  public var coverageText: String {
    var parts: [String] = []
    if let coveredText { parts.append(coveredText) }
    if let shortfall { parts.append(shortfall) }
    if coverage != .everySchedule { parts += estimates }
    return parts.joined(separator: "; ")
  }

  /// What was covered completely, in as many words; nil if nothing was.
  public var coveredText: String? {
    coverage.map { $0.text(schedules: coveredSchedules) + (keepsState ? Self.keepingState : "") }
  }

  /// What a search in one process does not cover where executions depend on earlier ones.
  private static let keepingState = ", of a process that had run the program before, which is not a fresh one"

  /// What was to be covered completely and was not; nil if there is no such thing.
  public var shortfall: String? { unfinished.map { "not \($0.goalText): the search ended before that" } }

  private var estimates: [String] {
    var parts = ["\(behaviours.grouped) distinct \(behaviours == 1 ? "behaviour" : "behaviours")"]
    if schedules > 0 {
      parts.append("\(Explorer.Ratio(count: failures, total: schedules)) of the schedules failed")
    }
    if let goodTuringEstimate {
      parts.append("chance that the next random schedule shows something new: \(goodTuringEstimate)")
    }
    return parts
  }
}

extension Strategies.Coverage {
  func text(schedules: Int) -> String {
    switch self {
    case .everySchedule: "all \(schedules.grouped) schedules explored"
    case .deviations: "\(goalText) explored (\(schedules.grouped))"
    case .everyBehaviour:
      "\(goalText) explored, in \(schedules.grouped) schedules, if steps share state only through actors, streams, "
        + "fakes and what is declared"
    }
  }

  var goalText: String {
    switch self {
    case .everySchedule: "all schedules"
    case .deviations(0): "the natural order"
    case .deviations(1): "all schedules with at most 1 deviation"
    case .deviations(let most): "all schedules with at most \(most) deviations"
    case .everyBehaviour: "all behaviours"
    }
  }
}
