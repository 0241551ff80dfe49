import Simulator

/// One schedule as a page for a browser.
enum ReplayPage {
  static func of(_ schedule: ShownSchedule) -> String {
    let (scenario, variant, file) = (schedule.scenario, schedule.variant, schedule.file)
    let result = schedule.result
    let command = { (token: Schedule.Token) in ReplayCommand.line(file, scenario.name, variant, token) }
    let broken = schedule.isRecorded ? "reproduced" : "violated"
    let execution = result.execution
    let divergence = result.divergence.map { "diverged: \($0)" }
    let verdict = divergence ?? (execution.violations.isEmpty ? "violates nothing" : broken)
    let place = result.process == .fresh ? "in a fresh process" : "in this process"
    var shown = Page.Variant(
      name: variant, mark: divergence == nil && execution.violations.isEmpty ? .holds : .unexpected,
      verdict: "\(verdict), \(place)", findings: execution.violations.map { finding($0, command) })
    if shown.findings.isEmpty { shown.findings = [whole(schedule, command)] }
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
    _ schedule: ShownSchedule, _ command: (Schedule.Token) -> String
  ) -> Page.Finding {
    let result = schedule.result
    let token = result.execution.token
    let nothing = schedule.isRecorded ? result.nothingViolated : nil
    return Page.Finding(
      invariant: "nothing", isKnown: true, headline: nothing ?? "nothing is violated",
      evidence: nil, step: 0, place: "in this schedule", token: "\(token)",
      chart: Explorer.Chart(result.execution.trace), nearest: nil, shrinking: [],
      replay: command(token))
  }
}
