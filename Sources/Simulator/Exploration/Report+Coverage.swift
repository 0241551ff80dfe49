extension Report {
  /// How much was tried: all of something, when that is so, else what the schedules tried let one expect.
  public var coverageText: String {
    var parts: [String] = []
    if let exhaustionText { parts.append(exhaustionText) }
    if let shortfall { parts.append(shortfall) }
    if exhaustion != .everySchedule { parts += estimates }
    return parts.joined(separator: "; ")
  }

  /// What was covered completely, in as many words; nil if nothing was.
  public var exhaustionText: String? { exhaustion?.text(schedules: exhaustiveSchedules) }

  /// What was to be covered completely and was not; nil if there is no such thing.
  public var shortfall: String? { unfinished.map { "not \($0.aimText): the search ended before that" } }

  private var estimates: [String] {
    var parts = ["\(behaviours.grouped) distinct \(behaviours == 1 ? "behaviour" : "behaviours")"]
    if schedules > 0 { parts.append("\(Share(count: failures, total: schedules)) of the schedules failed") }
    if let chanceOfNews {
      parts.append("chance that the next random schedule shows something new: \(chanceOfNews)")
    }
    return parts
  }
}

extension Exhaustion {
  func text(schedules: Int) -> String {
    switch self {
    case .everySchedule: "all \(schedules.grouped) schedules explored"
    case .deviations: "\(aimText) explored (\(schedules.grouped))"
    case .everyBehaviour:
      "\(aimText) explored, in \(schedules.grouped) schedules, if steps share state only through actors, streams, "
        + "fakes and what is declared"
    }
  }

  var aimText: String {
    switch self {
    case .everySchedule: "all schedules"
    case .deviations(0): "the natural order"
    case .deviations(1): "all schedules with at most 1 deviation"
    case .deviations(let most): "all schedules with at most \(most) deviations"
    case .everyBehaviour: "all behaviours"
    }
  }
}
