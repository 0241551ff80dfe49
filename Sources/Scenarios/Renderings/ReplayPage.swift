import Simulator

/// One schedule as a page for a browser.
enum ReplayPage {
  static func of(_ result: Explorer.ReplayResult, _ request: ReplayRequest) -> String {
    let (scenario, variant, file) = (request.scenario, request.variant, request.file)
    let command = { (token: Schedule.Token) in ReplayCommand.line(file, scenario.name, variant, token) }
    let broken = request.token == nil ? "violated" : "reproduced"
    let execution = result.execution
    let divergence = result.divergence.map { "diverged: \($0)" }
    let verdict = divergence ?? (execution.violations.isEmpty ? "violates nothing" : broken)
    let place = result.process == .fresh ? "in a fresh process" : "in this process"
    var shown = Page.Variant(
      name: variant, mark: divergence == nil && execution.violations.isEmpty ? .holds : .unexpected,
      verdict: "\(verdict), \(place)", findings: execution.violations.map { finding($0, command) })
    if shown.findings.isEmpty { shown.findings = [whole(result, request, command)] }
    let page = Page(
      title: "\(scenario.name) · \(variant)", lines: [verdict],
      isAsExpected: divergence == nil && execution.violations.isEmpty,
      subjects: [
        Page.Subject(
          name: scenario.name, about: scenario.about,
          place: "\(file) · \(scenario.system)", variants: [shown])
      ])
    return page.html
  }

  private static func finding(_ violation: Invariant.Violation, _ command: (Schedule.Token) -> String)
    -> Page.Finding
  {
    var finding = Page.Finding(violation, replay: command(violation.token))
    finding.place = "at \(violation.time), step \(violation.step)"
    return finding
  }

  /// An execution that violates nothing, to look at.
  private static func whole(
    _ result: Explorer.ReplayResult, _ request: ReplayRequest, _ command: (Schedule.Token) -> String
  ) -> Page.Finding {
    let token = result.execution.token
    let nothing = request.token == nil ? nil : result.nothingViolated
    return Page.Finding(
      invariant: "nothing", isKnown: true, headline: nothing ?? "nothing is violated",
      evidence: nil, step: 0, place: "in this schedule", token: "\(token)",
      chart: Explorer.Chart(result.execution.trace), nearest: nil, shrinking: [],
      replay: command(token))
  }
}
