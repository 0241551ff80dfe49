internal import SimulatorCore

extension Explorer.Report: CustomStringConvertible {
  /// The report for a human reader: what was tried, what broke, when, and how to replay it.
  public var description: String {
    ([headline] + [cancellations?.description].compactMap { $0 } + violations.map(\.description)
      + neverHappenedTexts + [unjudgedText].compactMap(\.self)
      + warnings.map { "warning: \($0)" })
      .joined(separator: "\n\n")
  }

  private var headline: String {
    ["\(name): \(verdictText)", coverageLine].compactMap(\.self).joined(separator: "\n")
  }

  /// Whether the program holds, and how much was tried.
  package var verdictText: String {
    let tried =
      "\(schedules.grouped) \(schedules == 1 ? "schedule" : "schedules"), seed \(seed), \(processes.text(from: freshOrigin))"
    if testedNothing { return "tested nothing, seed \(seed)\(interruptionText)" }
    if holds { return "holds in \(tried)" }
    if violations.isEmpty {
      return "never saw \(neverHappened.map { "“\($0)”" }.joined(separator: ", ")) in \(tried)"
    }
    return "violates \(violations.map(\.invariant).joined(separator: ", ")); \(failures.grouped) of \(tried)"
  }

  /// What was covered, and why no more; nil if nothing was tested.
  package var coverageLine: String? { testedNothing ? nil : coverageText + interruptionText }

  private var testedNothing: Bool { violations.isEmpty && schedules == unjudgedSchedules }

  private var interruptionText: String { interruption.map { "; \($0.text)" } ?? "" }

  /// The number of failed schedules, and what the tried schedules covered, in two lines.
  package var triedText: String {
    "\(failures.grouped) of \(schedules.grouped) \(schedules == 1 ? "schedule" : "schedules") failed; seed \(seed), \(processes.text(from: freshOrigin))\n"
      + coverageText + (stateText.map { "\n\($0)" } ?? "")
  }

  /// A note on state that the program keeps between executions; nil if no such state was observed.
  private var stateText: String? {
    if wouldKeepState { return "\(KeptState.isKept): each ran \(freshOrigin.text)" }
    return keepsState ? "\(KeptState.isKept): what one shows may depend on those before it" : nil
  }
}

extension Explorer.Report.Interruption {
  /// The reason, worded for the middle of a sentence.
  package var text: String {
    switch self {
    case .stopped: "stopped before the end"
    case .outOfTime: "the time that it may take was over"
    case .notJudged: "not judged, its processes were ended by what no schedule shows again"
    case .tooCostly: "given up, too many schedules do not end or use up the memory"
    }
  }
}
