import ScenarioFiles
import Simulator
import SimulatorReports

extension ReportFormat {
  /// For people.
  static let text = ReportFormat(name: "text", remark: "unless said") {
    WorkflowCommands.spoilt(RunText.whole($0))
  }
}

/// The output of `simrun run`, in 80 columns. Nothing in it depends on the machine or the clock.
enum RunText {
  private static let width = TwoColumns.width

  /// The whole report, its last line closed, without colors.
  static func whole(_ report: RunReport) -> String {
    ([heading(report).joined(separator: "\n")] + report.scenarios.map { of($0, .plain) } + [summary(report)])
      .joined(separator: "\n\n") + "\n"
  }

  /// The first lines: what the run depends on.
  static func heading(_ report: RunReport) -> [String] {
    let seed = report.seeds.map(String.init).joined(separator: ", ")
    let first = "seed \(seed), \(report.build.rawValue) build"
    return [first] + (report.shards.map { TwoColumns.wrapped($0.text) } ?? [])
  }

  /// A scenario: what a user would see, each variant's verdict, and each violation with the line that replays
  /// it.
  static func of(_ scenario: ScenarioReport, _ palette: Palette) -> String {
    let about = TwoColumns.wrapped(scenario.about, width: width - 2).map { "  " + $0 }
    let column = (scenario.variants.map(\.name.count).max() ?? 0) + 2
    let verdicts = scenario.variants.flatMap { verdict($0, column, palette) }
    let found = scenario.variants.flatMap { findings($0, palette) }
    return ([scenario.name.visible] + about + verdicts + untested(scenario) + stories(scenario) + found)
      .joined(separator: "\n")
  }

  /// What was recorded, what is outdated, and the totals; the verdict comes last.
  static func summary(_ report: RunReport) -> String {
    let verdict = verdict(report)
    let lines =
      verdict.count > width && !report.isAsExpected
      ? [sums(report) + ": not as expected:"] + names(failing(report)) : TwoColumns.wrapped(verdict)
    return
      (recorded(report) + (report.outdated.isEmpty ? [] : ["outdated:"] + names(report.outdated)) + lines)
      .joined(separator: "\n")
      + remarks(report).map { "\n" + TwoColumns.wrapped($0).joined(separator: "\n") }.joined()
  }

  /// What else is to be known of a run, a sentence each.
  static func remarks(_ report: RunReport) -> [String] {
    [report.cutShort, report.notJudgedText].compactMap(\.self) + report.warnings.map { "warning: \($0)" }
  }

  /// A line for each schedule that was recorded.
  static func recorded(_ report: RunReport) -> [String] {
    report.recorded.map(recorded)
  }

  static func recorded(_ schedule: RecordedSchedule) -> String {
    "recorded in \(schedule.file): \(schedule.scenario) \(schedule.variant) \(schedule.token)".visible
  }

  /// The totals and the verdict, in one line.
  static func verdict(_ report: RunReport) -> String {
    let names = failing(report).joined(separator: ", ").visible
    return "\(sums(report)): \(report.isAsExpected ? good(report) : "not as expected: \(names)")"
  }

  /// What is said of a run that does not fail. Where the file says what is no longer so, not all is as expected.
  private static func good(_ report: RunReport) -> String {
    let isWhole = report.cutShort == nil && !report.isPart
    if report.outdated.isEmpty { return isWhole ? "all as expected" : "nothing unexpected so far" }
    return
      "nothing unexpected\(isWhole ? "" : " so far"), and \(report.outdated.count.counted("scenario")) outdated"
  }

  /// What fails the run: scenarios, or its end before its time.
  private static func failing(_ report: RunReport) -> [String] {
    report.notAsExpected + (report.isStrict && report.isCutShort ? ["it was not searched to the end"] : [])
  }

  private static func sums(_ report: RunReport) -> String {
    "\(report.scenarios.count.counted("scenario")), \(report.variants.counted("variant")), "
      + report.schedules.counted("schedule")
  }

  private static func names(_ names: [String]) -> [String] {
    TwoColumns.wrapped(names.joined(separator: ", "), width: width - 2).map { "  " + $0 }
  }

  /// One line about the wall clock, for standard error.
  static func pace(_ report: RunReport) -> String {
    let milliseconds = max(1, report.milliseconds ?? 0)
    let tenths = (milliseconds + 50) / 100
    return
      "\(tenths / 10).\(tenths % 10) s, \(report.schedules * 1_000 / milliseconds) schedules/s, "
      + "\(report.steps * 1_000 / milliseconds) steps/s\n"
  }

  /// What was found and what it is worth, in one line.
  static func verdict(_ variant: VariantReport) -> String {
    let found =
      variant.isNotJudged
      ? notJudged(variant)
      : variant.isStopped || variant.schedules == 0 && variant.violations.isEmpty
        ? stopped(variant)
        : variant.testsNothing
          ? "\(variant.judgedAfterAll.isEmpty ? "tests" : "violates") nothing in \(variant.schedules.counted("schedule"))"
          : variant.holds
            ? "holds in \(variant.schedules.counted("schedule")), \(variant.behaviorsText), "
              + processes(variant)
            : "violates \(variant.violations.map(\.invariant).joined(separator: ", ")) "
              + "(\(variant.triedText))"
    return ([found] + (variant.complaints + variant.outdated).map(\.text) + notes(variant)).joined(
      separator: "; ")
  }

  /// Where the schedules ran, in few words: what is usual is told by the help.
  private static func processes(_ variant: VariantReport) -> String {
    let searching = variant.processes.shards ?? 1
    switch variant.processes.value {
    case .oneAndFresh where searching > 1, .one(nil) where searching > 1: return "in \(searching) processes"
    case .fewAndFresh: return "in one process or a few"
    case .oneAndFresh: return "\(Explorer.Processes.one(why: nil))"
    case let processes: return "\(processes)"
    }
  }

  private static func notes(_ variant: VariantReport) -> [String] {
    if variant.isStopped || variant.isNotJudged { return [] }
    let untested =
      variant.vacuous.isEmpty ? [] : ["had nothing to judge: \(variant.vacuous.joined(separator: ", "))"]
    let unsought =
      variant.notLookedFor.isEmpty
      ? [] : ["not looked for without the build flag: \(variant.notLookedFor.joined(separator: ", "))"]
    let covered = variant.holds ? [variant.coverage?.text].compactMap(\.self) : []
    let pairs = variant.holds ? [variant.untriedPairs?.text].compactMap(\.self) : []
    let givenUp = [variant.interruption?.text.uppercased()].compactMap(\.self)
    return givenUp + covered + pairs + untested + unsought
  }

  private static func untested(_ scenario: ScenarioReport) -> [String] {
    scenario.untestedText.map { TwoColumns.wrapped($0, width: width - 4).map { "    " + $0 } } ?? []
  }

  /// How much the stories have tried, and by its name what never.
  private static func stories(_ scenario: ScenarioReport) -> [String] {
    guard let stories = scenario.stories else { return [] }
    let counts = stories.parts.map { part in
      "\(part.tried.count) of \((part.tried.count + part.never.count).counted(part.kind.singular))"
    }
    let never = stories.parts.flatMap { part in
      part.never.map { part.kind == .cancels ? "cancel of \($0)" : $0 }
    }
    return ([("tried: ", counts, ", ")] + (never.isEmpty ? [] : [("never tried: ", never, "; ")])).flatMap {
      TwoColumns.wrapped($0 + $1.joined(separator: $2), width: width - 4).map { "    " + $0 }
    }
  }

  private static func verdict(_ variant: VariantReport, _ column: Int, _ palette: Palette) -> [String] {
    let name = variant.name.visible + String(repeating: " ", count: column - variant.name.count)
    let lines = TwoColumns.wrapped(verdict(variant), width: width - column - 4)
    let mark = palette.painted(variant.mark)
    let first = (lines.first ?? "").split(separator: " ", maxSplits: 1).map(String.init)
    let word = first.first.map { variant.holds && !variant.isStopped ? palette.good($0) : $0 } ?? ""
    let rest = lines.dropFirst().map { String(repeating: " ", count: column + 4) + $0 }
    return ["  \(mark) \(name)" + ([word] + first.dropFirst()).joined(separator: " ")] + rest
  }

  private static func stopped(_ variant: VariantReport) -> String {
    if !variant.hasTried {
      return variant.isStopped || variant.processes.shards == nil ? "NOT BEGUN" : "left to other shards"
    }
    let found = variant.violations.map(\.invariant).joined(separator: ", ")
    return "STOPPED after \(variant.schedules.counted("schedule")): "
      + (variant.violations.isEmpty ? "nothing found so far" : "violates \(found)")
  }

  /// What is known of it; why that is no verdict stands behind.
  private static func notJudged(_ variant: VariantReport) -> String {
    let found = variant.violations.map(\.invariant).joined(separator: ", ")
    let schedules = variant.schedules.counted("schedule")
    return found.isEmpty ? "nothing found in \(schedules)" : "violates \(found) (\(schedules))"
  }

  private static func findings(_ variant: VariantReport, _ palette: Palette) -> [String] {
    findings(variant.violations, of: variant, palette)
  }

  /// What happened is told once for all that one schedule violates.
  private static func findings(
    _ violations: [ViolationReport], of variant: VariantReport, _ palette: Palette
  ) -> [String] {
    var told: [String: String] = [:]
    return violations.flatMap { violation in
      let title =
        "\(variant.name.visible) · \(palette.bad(violation.invariant.visible)) · \(violation.place), "
        + "schedule \(violation.number ?? 0)"
      let text = TwoColumns.wrapped(violation.message, width: width - 4).map { "    " + $0 }
      let explanation: [String]
      if violation.isExpected {
        explanation = []
      } else if let other = told[violation.token] {
        explanation = ["    what happened is told above, under \(other.visible)"]
      } else {
        told[violation.token] = violation.invariant
        explanation = ["", violation.explanation.visibleLines, ""]
      }
      return ["", "  \(title)"] + text + explanation
        + [palette.faint("    replay: \(violation.replayCommand)")]
    }
  }
}

extension Palette {
  /// The sign of a verdict in its color.
  fileprivate func painted(_ mark: Page.Mark) -> String {
    switch mark {
    case .holds: good(mark.sign)
    case .unexpected: bad(mark.sign)
    case .known, .outdated: known(mark.sign)
    case .open: mark.sign
    }
  }
}

// MARK: - In few words

extension RunText {
  /// How much of each scenario is told.
  enum Detail {
    case whole
    /// A line where all is as expected; of the others what is not.
    case brief

    /// Of one scenario, one file or one system all is told, and of more where that is asked for.
    static func of(
      _ scenarios: [(file: String, system: String)], madeUpIn madeUp: String, isVerbose: Bool
    ) -> Detail {
      if isVerbose || scenarios.count < 2 { return .whole }
      let files = Set(scenarios.map(\.file))
      if files.count == 1, files != [madeUp] { return .whole }
      return Set(scenarios.map(\.system)).count == 1 ? .whole : .brief
    }
  }

  static let hint = "(All that was found: --verbose. One scenario: --filter=NAME.)"

  /// One line where all is as expected, else what is not.
  static func brief(_ scenario: ScenarioReport, _ palette: Palette) -> String {
    let isWell = { (variant: VariantReport) in
      variant.isAsExpected && !variant.isOutdated && isComplete(variant)
    }
    let bad = scenario.variants.filter { !isWell($0) }
    if scenario.isAsExpected, bad.isEmpty { return line(scenario, palette.painted(.holds)) }
    let column = (bad.map(\.name.count).max() ?? 0) + 2
    let isOpen = !scenario.variants.allSatisfy(isComplete)
    let mark = palette.painted(scenario.isAsExpected ? isOpen ? .open : .outdated : .unexpected)
    return
      ([line(scenario, mark)] + bad.flatMap { verdict($0, column, palette) } + untested(scenario)
      + bad.flatMap { findings($0.violations.filter { !$0.isExpected }, of: $0, palette) }).joined(
        separator: "\n")
  }

  /// Whether its search came to its end.
  private static func isComplete(_ variant: VariantReport) -> Bool {
    variant.hasTried && !variant.isStopped && !variant.isNotJudged && variant.interruption == nil
  }

  /// How many hold in how many schedules, how many break, and whether something was not judged.
  private static func line(_ scenario: ScenarioReport, _ mark: String) -> String {
    let name = scenario.name.visible
    let pad = String(repeating: " ", count: max(1, 34 - name.count))
    let holding = scenario.variants.filter { $0.holds && $0.hasTried }
    let idle = scenario.variants.count(where: \.testsNothing)
    let breaking = scenario.variants.count { $0.hasTried && !$0.isNotJudged && !$0.holds } - idle
    let hold = "\(holding.count) hold\(holding.count == 1 ? "s" : "") in \(schedules(of: holding))"
    let counts = [
      holding.isEmpty ? nil : hold,
      breaking == 0 ? nil : "\(breaking) break\(breaking == 1 ? "s" : "")",
      idle == 0 ? nil : "\(idle) test\(idle == 1 ? "s" : "") nothing",
    ]
    let isIncomplete =
      !scenario.isBounded
      && (!scenario.untested.isEmpty || holding.contains { !$0.vacuous.isEmpty || !$0.notLookedFor.isEmpty })
    return "\(mark) \(name)\(pad)" + counts.compactMap(\.self).joined(separator: ", ")
      + (isIncomplete ? "; not all tested" : "")
  }

  /// The fewest that one of them was searched by.
  private static func schedules(of variants: [VariantReport]) -> String {
    let fewest = variants.map(\.schedules).min() ?? 0
    let isSame = variants.allSatisfy { $0.schedules == fewest }
    return isSame ? fewest.counted("schedule") : "\(fewest) or more"
  }
}
