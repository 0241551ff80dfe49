import Simulator

/// One replayed schedule as a page for a browser.
enum ReplayPage {
  static func of(_ result: Explorer.ReplayResult, _ request: ReplayRequest) -> String {
    let execution = result.execution
    let divergence = result.divergence.map { "diverged: \($0)" }
    let verdict = divergence ?? (execution.violations.isEmpty ? "violates nothing" : "reproduced")
    let place = result.process == .fresh ? "in a fresh process" : "in this process"
    var variant = Page.Variant(
      name: request.variant, mark: divergence == nil && execution.violations.isEmpty ? .holds : .unexpected,
      verdict: "\(verdict), \(place)", findings: execution.violations.map { finding($0, request) })
    if variant.findings.isEmpty { variant.findings = [whole(result, request)] }
    let page = Page(
      title: "\(request.scenario.name) · \(request.variant)", lines: [verdict],
      isAsExpected: divergence == nil && execution.violations.isEmpty,
      subjects: [
        Page.Subject(
          name: request.scenario.name, about: request.scenario.about,
          place: "\(request.file) · \(request.scenario.system)", variants: [variant])
      ])
    return page.html
  }

  private static func command(_ request: ReplayRequest, _ token: Schedule.Token) -> String {
    ReplayCommand.line(request.file, request.scenario.name, request.variant, token)
  }

  private static func finding(_ violation: Invariant.Violation, _ request: ReplayRequest) -> Page.Finding {
    var finding = Page.Finding(violation, replay: command(request, violation.token))
    finding.place = "at \(violation.time), step \(violation.step)"
    return finding
  }

  /// An execution that violates nothing, to look at.
  private static func whole(_ result: Explorer.ReplayResult, _ request: ReplayRequest) -> Page.Finding {
    let token = result.execution.token
    return Page.Finding(
      invariant: "nothing", isKnown: true, headline: result.nothingViolated ?? "nothing is violated",
      evidence: nil, step: 0, place: "in this schedule", token: "\(token)",
      chart: Explorer.Chart(result.execution.trace), nearest: nil, shrinking: [],
      replay: command(request, token))
  }
}
