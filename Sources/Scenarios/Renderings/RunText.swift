import Simulator

/// What `simrun run` says of a scenario, in 80 columns. Nothing in it depends on the machine or the clock.
enum RunText {
  private static let width = TwoColumns.width

  /// The first line: what the run depends on.
  static func heading(_ request: RunRequest) -> String {
    let seeds = Set(request.entries.map(\.scenario.search.seed)).sorted()
    let seed = seeds.map(String.init).joined(separator: ", ")
    return "seed \(seed), \(ScheduleToken.Build.current.rawValue) build"
  }

  /// A scenario: what a user would see, each variant's verdict, and each violation with the line that replays it.
  static func of(_ result: ScenarioResult, file: String) -> String {
    let scenario = result.scenario
    let about = TwoColumns.wrapped(scenario.about, width: width - 2).map { "  " + $0 }
    let column = (result.variants.map(\.variant.count).max() ?? 0) + 2
    let verdicts = result.variants.flatMap { verdict($0, column) }
    let found = result.variants.flatMap { findings($0, scenario, file) }
    return ([scenario.name] + about + verdicts + untested(result) + found).joined(separator: "\n")
  }

  private static func untested(_ result: ScenarioResult) -> [String] {
    guard !result.vacuities.isEmpty else { return [] }
    let text = "not tested: " + result.vacuities.joined(separator: "; ")
    return TwoColumns.wrapped(text, width: width - 4).map { "    " + $0 }
  }

  private static func verdict(_ result: VariantResult, _ column: Int) -> [String] {
    let mark = !result.isAsExpected ? "✗" : result.isStopped ? "–" : "✓"
    let name = result.variant + String(repeating: " ", count: column - result.variant.count)
    let lines = TwoColumns.wrapped(sentence(result), width: width - column - 4)
    let rest = lines.dropFirst().map { String(repeating: " ", count: column + 4) + $0 }
    return ["  \(mark) \(name)\(lines.first ?? "")"] + rest
  }

  private static func sentence(_ result: VariantResult) -> String {
    let report = result.report
    let found =
      result.isStopped
      ? stopped(report)
      : report.holds
        ? "holds in \(report.schedules.counted("schedule")), \(report.behaviours.counted("behaviour"))"
        : "violates \(report.violations.map(\.invariant).joined(separator: ", ")) "
          + "(\(report.schedules.counted("schedule")))"
    return ([found] + complaints(result) + notes(result)).joined(separator: "; ")
  }

  private static func stopped(_ report: Report) -> String {
    if report.schedules == 0, report.holds { return "NOT BEGUN" }
    let found =
      report.holds
      ? "nothing found so far" : "violates \(report.violations.map(\.invariant).joined(separator: ", "))"
    return "STOPPED after \(report.schedules.counted("schedule")): \(found)"
  }

  private static func complaints(_ result: VariantResult) -> [String] {
    var lines: [String] = []
    if !result.isStopped, !result.missing.isEmpty {
      lines.append("EXPECTED TOO, NOT FOUND: \(result.missing.joined(separator: ", "))")
    }
    if !result.unexpected.isEmpty {
      lines.append("NOT EXPECTED: \(result.unexpected.map(\.invariant).joined(separator: ", "))")
    }
    return lines + result.replays.compactMap(ReplayText.complaint)
  }

  private static func notes(_ result: VariantResult) -> [String] {
    let report = result.report
    if result.isStopped { return [] }
    let vacuous = (report.vacuous ?? []).sorted()
    let untested = vacuous.isEmpty ? [] : ["had nothing to judge: \(vacuous.joined(separator: ", "))"]
    let covered = report.holds ? [report.exhaustionText].compactMap(\.self) : []
    let interrupted = [report.interruption?.text.uppercased()].compactMap(\.self)
    return interrupted + covered + [result.shortfall].compactMap { $0?.uppercased() } + untested
  }

  private static func findings(_ result: VariantResult, _ scenario: Scenario, _ file: String) -> [String] {
    result.report.violations.flatMap { violation in
      let isExpected = result.expectation.violated.contains(violation.invariant)
      let title =
        "\(result.variant) · \(violation.invariant) · \(violation.time), step \(violation.step), "
        + "schedule \(violation.number)"
      let text = TwoColumns.wrapped(violation.message, width: width - 4).map { "    " + $0 }
      let timeline =
        isExpected ? [] : ["", Timeline(violation.trace, width: width).description, ""]
      let line = ReplayText.line(file, scenario.name, result.variant, violation.token)
      return ["", "  \(title)"] + text + timeline + ["    replay: \(line)"]
    }
  }
}
