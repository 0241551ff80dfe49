/// How the schedule of a violation was made smaller.
public struct Shrinking: Codable, Sendable {
  /// The schedule as the search found it.
  public let found: Schedule
  /// How many choices that execution had.
  public let choices: Int
  /// The deviations that are left, in words, in order.
  public let deviations: [String]
  /// Where in the trace they show.
  let marks: [Mark]
  /// Whether fewer would do.
  public let minimality: Minimality
  /// How many executions that took.
  public let executions: Int
  /// How often it was replayed: ``replays`` times, or less where each takes real time.
  public let replayed: Int
  /// How many of these replays violated the invariant again, with the same trace.
  public let reproduced: Int
  /// The most similar schedule known under which the invariant holds.
  public internal(set) var nearestPassing: NearestPassing?

  /// How often the smaller schedule is replayed.
  public static let replays = 10

  /// Where a deviation shows: in a step, or as an action after one.
  struct Mark: Hashable, Codable, Sendable {
    let step: Int
    let isAction: Bool
  }

  /// Whether fewer deviations would do.
  public enum Minimality: Hashable, Codable, Sendable {
    /// No: every schedule with fewer holds, so many have been tried. 0 when the natural order violates.
    case proved(tried: Int)
    /// Not known, except that every schedule with fewer than `below` holds.
    case exhausted(below: Int, tried: Int)
  }
}

extension Shrinking: CustomStringConvertible {
  /// Two or three lines: what is left, why it is not less, and whether it can be relied upon.
  public var description: String {
    let again = "; reproduced \(reproduced)/\(replayed)"
    guard !deviations.isEmpty else {
      return (found.deviations.isEmpty ? "" : from + " to none: ") + "the natural order shows it" + again
    }
    let left = deviations.map { "  " + $0 }
    return (["\(from) to \(deviations.count)\(again)", "the natural order except that"] + left + [proof])
      .joined(separator: "\n")
  }

  private var from: String {
    "minimised from \(found.deviations.count) \(found.deviations.count == 1 ? "deviation" : "deviations")"
      + " in \(choices) \(choices == 1 ? "choice" : "choices")"
  }

  private var proof: String {
    switch minimality {
    case .proved(1): "minimal: the natural order holds"
    case .proved(let tried): "minimal: all \(tried) schedules with fewer deviations hold"
    case .exhausted(0, _): "perhaps not minimal: schedules with fewer deviations have not been tried"
    case .exhausted(1, _): "perhaps not minimal: with fewer deviations only the natural order has been tried"
    case .exhausted(let below, let tried):
      "perhaps not minimal: all \(tried) schedules with fewer than \(below) deviations hold"
    }
  }
}
