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
      findings: violations.isEmpty
        ? [Page.Finding(whole: result, isRecorded, replay: line)]
        : violations.map { Page.Finding($0, in: result, replay: line) })
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

extension Page.Finding {
  /// Describes a violation that a replay has shown, with the nearest passing run if that was looked for.
  fileprivate init(_ violation: Invariant.Violation, in result: Explorer.ReplayResult, replay: String) {
    let nearest = result.nearest[violation.invariant]
    var violation = violation
    if let nearest, let proved = RaceEvidence(violation, passing: nearest.trace) {
      (violation.diagnosis, violation.evidence) = (proved.diagnosis, proved.sentence)
    }
    let charts = Explorer.Explanation.charts(violation, result.marks, beside: nearest)
    self.init(
      violation, place: "", charts?.failing, nearest.map { Page.Nearest($0, charts?.passing) },
      shrinking: result.pageDeviations, replay: replay)
  }

  /// Describes an execution that violates nothing.
  fileprivate init(whole result: Explorer.ReplayResult, _ isRecorded: Bool, replay: String) {
    let nothing = isRecorded ? result.nothingViolated : nil
    self.init(
      invariant: "nothing", isKnown: true, headline: nothing ?? "nothing is violated",
      evidence: nil, step: 0, place: "in this schedule", token: "\(result.execution.token)",
      chart: Explorer.Chart(result.execution.trace, result.marks), nearest: nil,
      shrinking: result.pageDeviations, replay: replay)
  }
}
