public import SimulatorCore

extension Invariant.Shrinking: CustomStringConvertible {
  /// Two or three lines: what is left, why it is not less, and how reliable it is.
  public var description: String { lines(indent: "  ").joined(separator: "\n") }

  /// Returns the same, a line each. `indent` stands before the lines that list something.
  package func lines(indent: String = "") -> [String] {
    Self.lines(
      originalSchedule.deviations.count, of: choices, to: deviations, minimality,
      drewNumbers: drewNumbers, isOutOfTime: isOutOfTime, reproduced: reproduced, of: replayed, indent: indent
    )
  }

  /// Returns the same for a schedule of which only these facts are known.
  package static func lines(
    _ found: Int, of choices: Int, to deviations: [String], _ minimality: Minimality, drewNumbers: Bool,
    isOutOfTime: Bool, reproduced: Int, of replayed: Int, indent: String = ""
  ) -> [String] {
    let again = "; reproduced \(reproduced)/\(replayed)"
    let from =
      "minimized from \(found) \(found == 1 ? "deviation" : "deviations") in \(choices) "
      + (choices == 1 ? "choice" : "choices")
    guard !deviations.isEmpty else {
      return [(found == 0 ? "" : from + " to none: ") + "the natural order shows it" + again]
    }
    return ["\(from) to \(deviations.count)\(again)", "the natural order except that"]
      + deviations.map { indent + $0 }
      + [minimality.text(drewNumbers) + (isOutOfTime ? "; the time that shrinking may take was over" : "")]
  }
}

extension Invariant.Shrinking.Minimality {
  fileprivate func text(_ drewNumbers: Bool) -> String {
    let numbers = drewNumbers ? ", for one draw of random numbers" : ""
    return switch self {
    case .proved(1): "minimal: the natural order holds"
    case .proved(let tried): "minimal: all \(tried) schedules with fewer deviations hold\(numbers)"
    case .exhausted(0, _): "perhaps not minimal: schedules with fewer deviations have not been tried"
    case .exhausted(1, _): "perhaps not minimal: with fewer deviations only the natural order has been tried"
    case .exhausted(let below, let tried):
      "perhaps not minimal: all \(tried) schedules with fewer than \(below) deviations hold\(numbers)"
    }
  }
}

extension Invariant.NearestPassing: CustomStringConvertible {
  public var description: String {
    """
    nearest passing run: \(token)
    both agree for \(agreed) \(agreed == 1 ? "event" : "events"); then
      passing: \(passing)
      failing: \(failing)
    """
  }
}
