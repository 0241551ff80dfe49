package import Simulator

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
      findings: report.violations.map { ViolationReport($0, replay: replay($0.token)) })
    if report.holds, report.behaviors > 1 {
      variant.growth = Page.Growth(report.growth, report.behaviors, after: report.schedules)
    }
    self.init(name: name, about: "", place: place, variants: [variant])
  }
}
