import ScenarioFiles
import Simulator
import SimulatorReports

extension ReportFormat {
  /// As GitHub shows it for a step of a job. Several commands of a step share one file, to which each adds.
  static let summary = ReportFormat(name: "summary", remark: "Markdown", isAdded: true) {
    SummaryMarkdown.of($0)
  }
}

/// A report as Markdown: the totals, what was not expected in a table, and the details of that, folded.
enum SummaryMarkdown {
  /// GitHub takes a mebibyte for a step; more is told by the other reports.
  private static let mostScenarios = 200
  private static let mostDetails = 40

  static func of(_ report: RunReport) -> String {
    let failing = report.scenarios.flatMap { scenario in
      scenario.variants.filter { !$0.isAsExpected }.map { (scenario, $0) }
    }
    let told = failing.prefix(mostDetails).flatMap { details($0.1, of: $0.0, report) }
    let left = failing.count - mostDetails
    let rest = left > 0 ? ["", "And \(left) more, which the other reports tell."] : []
    let lines =
      ["## \(escaped(ToolIdentity.name))", "", escaped(RunText.verdict(report))]
      + RunText.remarks(report).flatMap { ["", escaped($0)] } + unexpected(failing) + untested(report)
      + told + rest + all(report)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func unexpected(_ failing: [(ScenarioReport, VariantReport)]) -> [String] {
    if failing.isEmpty { return [] }
    let rows = failing.flatMap { scenario, variant in
      let others = variant.unexpected.isEmpty ? (variant.complaints + variant.outdated).map(\.text) : []
      let found = variant.unexpected.map { ($0.headline, code($0.replayCommand)) }
      return (found + others.map { ($0, "") }).map { told, replay in
        "| \(escaped(scenario.name)) | \(escaped(variant.name)) | \(escaped(told)) | \(replay) |"
      }
    }
    return [
      "", "### Not as expected", "", "| scenario | variant | what | replay |", "| --- | --- | --- | --- |",
    ]
      + rows
  }

  private static func untested(_ report: RunReport) -> [String] {
    let rows = report.scenarios.filter { !$0.untested.isEmpty && !$0.isBounded }.prefix(mostScenarios).map {
      "- \(escaped($0.name)): \(escaped($0.untested.sentences.joined(separator: "; ")))"
    }
    return rows.isEmpty ? [] : ["", "### Not tested", ""] + rows
  }

  private static func details(
    _ variant: VariantReport, of scenario: ScenarioReport, _ report: RunReport
  ) -> [String] {
    let text = VariantText(variant: variant, scenario: scenario, build: report.build).whole
    return folded("\(scenario.name) · \(variant.name)", ["<pre>" + literal(text) + "</pre>"])
  }

  /// Every scenario, folded.
  private static func all(_ report: RunReport) -> [String] {
    let rows = report.scenarios.prefix(mostScenarios).flatMap { scenario in
      scenario.variants.map { variant in
        let cells = [scenario.name, variant.name, RunText.verdict(variant)].map(escaped)
        return "| \(variant.mark.sign) | \(cells.joined(separator: " | ")) |"
      }
    }
    let left = report.scenarios.count - mostScenarios
    let rest = left > 0 ? ["", "And \(left.counted("scenario")) more."] : []
    return folded(
      "All scenarios", ["| | scenario | variant | verdict |", "| --- | --- | --- | --- |"] + rows + rest)
  }

  private static func folded(_ title: String, _ lines: [String]) -> [String] {
    ["", "<details><summary>\(literal(title.visible))</summary>", ""] + lines + ["", "</details>"]
  }
}

// MARK: - Text from outside

extension SummaryMarkdown {
  /// A text in a line of Markdown that is nothing but text: no markup, link, mention, cell or element.
  static func escaped(_ text: String) -> String { characters(text.visible) { !isPlain($0) } }

  /// A line to copy; in an element, because a fence ends at its own sign, which may be in the text.
  private static func code(_ text: String) -> String { "<code>\(escaped(text))</code>" }

  /// Lines as they stand. An empty one would end the element.
  private static func literal(_ text: String) -> String {
    let lines = text.visibleLines.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      line.allSatisfy(\.isWhitespace) ? "&#32;" : characters(String(line)) { !isPlain($0) }
    }.joined(separator: "\n")
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      || " ,;.-()?".unicodeScalars.contains(scalar)
  }

  /// By their numbers, which Markdown takes for nothing but themselves.
  private static func characters(_ text: String, _ isEscaped: (Unicode.Scalar) -> Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if isEscaped(scalar) { escaped += "&#\(scalar.value);" } else { escaped.unicodeScalars.append(scalar) }
    }
    return escaped
  }
}
