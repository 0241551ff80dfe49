import Foundation
import ScenarioFiles
import Simulator
import SimulatorReports

extension ReportFormat {
  /// Annotations of the files, as workflow commands of GitHub.
  static let github = ReportFormat(name: "github", remark: "annotations") { GitHubText.of($0) }
}

/// A report as workflow commands of GitHub Actions: what fails the run as errors, what is only outdated as
/// warnings, each on the line of its scenario. The last line has the totals.
enum GitHubText {
  static func of(_ report: RunReport) -> String {
    let commands = report.scenarios.flatMap { scenario in
      scenario.variants.flatMap { annotations($0, of: scenario, report) }
        + untested(scenario).map {
          annotation(scenario.failsUntested ? "error" : "warning", scenario, nil, $0)
        }
    }
    let rest =
      RunText.recorded(report) + RunText.remarks(report) + (report.shards.map { [$0.text] } ?? [])
      + [RunText.verdict(report)]
    return (commands + cutShort(report) + rest.map(WorkflowCommands.spoilt))
      .map { $0 + "\n" }.joined()
  }

  private static func annotations(
    _ variant: VariantReport, of scenario: ScenarioReport, _ report: RunReport
  ) -> [String] {
    let text = VariantText(variant: variant, scenario: scenario, build: report.build)
    if !variant.isAsExpected { return [annotation("error", scenario, variant, text.whole)] }
    return variant.outdated.map {
      annotation("warning", scenario, variant, $0.text + (text.remedy.map { "\nwhat to do: \($0)" } ?? ""))
    }
  }

  /// Of a run that ended before its time.
  private static func cutShort(_ report: RunReport) -> [String] {
    let command = report.failsWhereCutShort ? "error" : "warning"
    return report.cutShort.map { [workflowCommand(command, [], $0)] } ?? []
  }

  private static func untested(_ scenario: ScenarioReport) -> [String] {
    scenario.isBounded ? [] : [scenario.untestedText].compactMap(\.self)
  }

  private static func annotation(
    _ command: String, _ scenario: ScenarioReport, _ variant: VariantReport?, _ message: String
  ) -> String {
    let title = scenario.name + (variant.map { " · \($0.name)" } ?? "")
    let properties = [
      ("file", relative(scenario.file)), ("line", "\(scenario.position.line)"), ("title", title),
    ]
    return workflowCommand(command, properties, message)
  }

  /// Annotations of files that cannot be read or are wrong, each with its line closed.
  static func of(_ fault: LoadingFault) -> String {
    switch fault {
    case .wrong(let diagnostics):
      diagnostics.all.map { diagnostic in
        let properties = [
          ("file", relative(diagnostic.file)), ("line", "\(diagnostic.position.line)"),
          ("col", "\(diagnostic.position.column)"),
        ]
        return workflowCommand("error", properties, "\(diagnostic.fault)") + "\n"
      }.joined()
    case .unreadable(let file): workflowCommand("error", [], "\(file)") + "\n"
    }
  }

  private static func workflowCommand(
    _ command: String, _ properties: [(String, String)], _ message: String
  ) -> String {
    let list = properties.map { "\($0.0)=\(escapedProperty($0.1.visible))" }.joined(separator: ",")
    return "::\(command)\(list.isEmpty ? "" : " ")\(list)::\(escapedData(message.visibleLines))"
  }

  /// The path as seen from the working directory, which a runner takes for the repository's.
  static func relative(_ path: String) -> String {
    let folder = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  /// As the runner undoes it in a message.
  static func escapedData(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  /// As the runner undoes it in a property.
  static func escapedProperty(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  /// By scalars: a comma with an accent is still a comma to the runner.
  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if let escape = escapes[scalar] { escaped += escape } else { escaped.unicodeScalars.append(scalar) }
    }
    return escaped
  }
}
