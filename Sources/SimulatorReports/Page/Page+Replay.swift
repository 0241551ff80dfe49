package import Simulator

extension Page.Variant {
  /// Describes one replayed schedule. `replay` turns its token into the line to copy. `isRecorded` is true if a token
  /// was given; the natural order has no earlier recording.
  package init(
    _ result: Explorer.ReplayResult, named name: String, isRecorded: Bool = true,
    replay: (Schedule.Token) -> String
  ) {
    let line = replay(result.execution.token)
    let violations = result.execution.violations
    let isFine = result.divergence == nil && violations.isEmpty
    self.init(
      name: name, mark: isFine ? .holds : .unexpected,
      verdict: "\(result.pageVerdict(isRecorded: isRecorded)), \(result.processText)",
      findings: violations.map { ViolationReport($0, in: result, replay: line) })
    schedule = result.pageDeviations
    if violations.isEmpty {
      let nothing = isRecorded ? result.nothingViolatedText : nil
      execution = Page.Execution(
        headline: nothing ?? "nothing is violated",
        chart: Explorer.Chart(result.execution.trace, result.marks), replay: line)
    }
  }
}

extension Page.Subject {
  /// Describes the result of a replay. The replayed test or scenario is called `name`, and is at `place`.
  package init(
    _ result: Explorer.ReplayResult, named name: String, at place: String, replay: (Schedule.Token) -> String
  ) {
    self.init(
      name: name, about: "", place: place, variants: [Page.Variant(result, named: "replay", replay: replay)])
  }
}

extension Explorer.ReplayResult {
  /// Returns the verdict on the replay.
  package func pageVerdict(isRecorded: Bool) -> String {
    if let divergence { return "diverged: \(divergence)" }
    if execution.violations.isEmpty { return "violates nothing" }
    return isRecorded ? "reproduced" : "violated"
  }

  /// The points at which the schedule leaves the natural order.
  fileprivate var pageDeviations: [String] {
    deviations.isEmpty
      ? ["The natural order."] : ["The natural order, except that"] + deviations.map { "» \($0)" }
  }
}

extension ViolationReport {
  /// Reports a violation that a replay has shown, with the nearest passing run if that was looked for.
  fileprivate init(_ violation: Invariant.Violation, in result: Explorer.ReplayResult, replay: String) {
    let nearest = result.nearest[violation.invariant]
    var violation = violation
    if let nearest, let proved = RaceEvidence(violation, passing: nearest.trace) {
      (violation.diagnosis, violation.evidence) = (proved.diagnosis, proved.sentence)
    }
    self.init(violation, result.marks, beside: nearest, replay: replay)
  }
}
