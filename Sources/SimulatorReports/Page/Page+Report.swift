package import Simulator

extension Page.Finding {
  /// Describes a violation with its execution, and the `replay` line to copy. Finding the places in the code takes
  /// milliseconds each.
  package init(_ violation: Invariant.Violation, isKnown: Bool = false, replay: String) {
    let charts = Explorer.Explanation.charts(violation)
    self.init(
      violation, isKnown: isKnown, place: "; found by schedule \(violation.number)", charts?.failing,
      violation.shrinking?.nearestPassing.map { Page.Nearest($0, charts?.passing) },
      shrinking: violation.shrinking?.lines() ?? [], replay: replay)
  }

  /// Describes a violation with the picture of its execution. `place` is the text after its time and its step.
  init(
    _ violation: Invariant.Violation, isKnown: Bool = false, place: String, _ chart: Explorer.Chart?,
    _ nearest: Page.Nearest?, shrinking: [String], replay: String
  ) {
    self.init(
      invariant: violation.invariant, isKnown: isKnown,
      headline: Explorer.Explanation(violation).headline, evidence: violation.evidence, step: violation.step,
      place: "at \(violation.time), step \(violation.step)\(place)", token: "\(violation.token)",
      chart: chart, nearest: nearest, shrinking: shrinking, replay: replay)
  }
}

extension Page.Nearest {
  init(_ nearest: Invariant.NearestPassing, _ chart: Explorer.Chart?) {
    self.init(
      token: "\(nearest.token)", agreed: nearest.agreed, passing: nearest.passing, failing: nearest.failing,
      chart: chart)
  }
}

extension Page.Subject {
  /// Describes the findings of a search. Its subject is called `name`, and is at `place`. `replay` turns a token into
  /// the line to copy.
  package init(
    _ report: Explorer.Report, named name: String, at place: String, replay: (Schedule.Token) -> String
  ) {
    let mark: Page.Mark =
      report.interruption == .notJudged || report.schedules == 0
      ? .open : report.holds ? .holds : .unexpected
    var variant = Page.Variant(
      name: "search", mark: mark, verdict: report.verdictText,
      notes: [report.coverageLine].compactMap(\.self) + report.warnings.map { "warning: \($0)" },
      findings: report.violations.map { Page.Finding($0, replay: replay($0.token)) })
    if report.holds, report.behaviors > 1 {
      variant.growth = Page.Growth(report.growth, report.behaviors, after: report.schedules)
    }
    self.init(name: name, about: "", place: place, variants: [variant])
  }
}
