import ScenarioFiles
import Simulator
import SimulatorReports

extension ReportFormat {
  /// A page for a browser, in one file.
  static let html = ReportFormat(name: "html", remark: "a page to look at", explainsAll: true) {
    PageHTML.of($0)
  }
}

/// A report as a page for a browser.
enum PageHTML {
  static func of(_ report: RunReport) -> String { page(report).html }

  private static func page(_ report: RunReport) -> Page {
    let lines =
      [RunText.verdict(report)] + RunText.heading(report) + RunText.remarks(report) + RunText.recorded(report)
      + (report.outdated.isEmpty ? [] : ["outdated: " + report.outdated.joined(separator: ", ")])
    return Page(
      title: title(report), lines: lines, isAsExpected: report.isAsExpected,
      subjects: report.scenarios.map { subject($0, report) })
  }

  private static func title(_ report: RunReport) -> String {
    let files = report.scenarios.map(\.file)
    guard let first = files.first, files.allSatisfy({ $0 == first }) else { return ToolIdentity.name }
    return "\(ToolIdentity.name) · \(first)"
  }

  private static func subject(_ scenario: ScenarioReport, _ report: RunReport) -> Page.Subject {
    var notes = [scenario.untestedText].compactMap(\.self)
    for part in scenario.stories?.parts ?? [] {
      let all = (part.tried.count + part.never.count).counted(part.kind.singular)
      notes.append(
        "tried \(part.tried.count) of \(all)"
          + (part.tried.isEmpty ? "" : ": " + part.tried.joined(separator: ", "))
          + (part.never.isEmpty ? "" : "; never: " + part.never.joined(separator: ", ")))
    }
    return Page.Subject(
      name: scenario.name, about: scenario.about,
      place: "\(scenario.file):\(scenario.position.line) · \(scenario.system)", notes: notes,
      variants: scenario.variants.map(variant))
  }

  private static func variant(_ variant: VariantReport) -> Page.Variant {
    var notes = variant.warnings.map { "warning: \($0)" }
    if let news = variant.goodTuringEstimate, !variant.holds || variant.coverage == nil {
      notes.append(
        "\(variant.behaviorsText); chance that the next random schedule shows something new: \(news)")
    }
    var shown = Page.Variant(
      name: variant.name, mark: variant.mark, verdict: RunText.verdict(variant), notes: notes,
      findings: variant.violations)
    if variant.holds, variant.behaviors > 1 {
      shown.growth = Page.Growth(variant.growth, variant.behaviors, after: variant.schedules)
    }
    return shown
  }
}
