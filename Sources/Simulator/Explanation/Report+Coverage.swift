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
    coverage.map { coverage in
      let text = coverage.text(schedules: coveredSchedules, fair: leftUnfairOut)
      let times =
        metRange && coverage != .deviations(atMost: 0)
        ? ", ranges of time ending at either end or where time stops" : ""
      return text + times + (keepsState ? Self.keepingState : "")
    }
  }

  /// What a search in one process does not cover where executions depend on earlier ones.
  private static let keepingState = ", of a process that had run the program before, which is not a fresh one"

  /// What was to be covered completely and was not; nil if there is no such thing.
  public var shortfall: String? {
    unfinished.map { goal in
      let reason =
        choseAtOnce && goal.isComplete
        ? "`choose(in:)` must answer at once, and tries only some durations of its range"
        : leftUnfairOut && goal == .everyBehaviour
          ? "tasks yield again and again, so unfair schedules were left out" : "the search ended before that"
      return "not \(goal.goalText): \(reason)"
    }
  }

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
  func text(schedules: Int, fair: Bool) -> String {
    switch self {
    case .everySchedule: "all \(schedules.grouped)\(fair ? " fair" : "") schedules of whole steps explored"
    case .deviations: "\(goalText) explored (\(schedules.grouped)\(fair ? ", only fair ones" : ""))"
    case .everyBehaviour:
      "\(goalText) of whole steps explored, in \(schedules.grouped) schedules, unless state is shared through `Mutex`, "
        + "`Atomic` or anything else but actors, streams, fakes and what is declared"
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
