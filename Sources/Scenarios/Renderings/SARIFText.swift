import ScenarioFiles
import Simulator
import SimulatorReports

extension ReportFormat {
  /// As code scanning reads it.
  static let sarif = ReportFormat(name: "sarif", remark: "for code scanning", explainsAll: true) {
    SARIFText.tree($0).text + "\n"
  }
}

/// A report in the Static Analysis Results Interchange Format (SARIF 2.1.0, an OASIS standard): a result for each
/// violation, at the last line of the program that ran before it.
///
/// What else fails the run is a notification: it has no line of the program.
enum SARIFText {
  static func tree(_ report: RunReport) -> JSONTree {
    var run = JSONTree.Builder()
    run.add("tool", ["driver": driver(report)] as JSONTree)
    run.add("invocations", [invocation(report)])
    run.add("results", report.scenarios.flatMap(results))
    return [
      "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0", "runs": .array([run.tree]),
    ]
  }

  private static func driver(_ report: RunReport) -> JSONTree {
    let violations = report.scenarios.flatMap { $0.variants.flatMap(\.violations) }
    let rules = violations.map(\.invariant).unique.map { name -> JSONTree in
      ["id": .string(name.visible), "shortDescription": message("The invariant \(name) must hold.")]
    }
    return [
      "name": .string(ToolIdentity.name.visible), "version": .string(ToolIdentity.version),
      "rules": .array(rules),
    ]
  }

  private static func results(_ scenario: ScenarioReport) -> [JSONTree] {
    scenario.variants.flatMap { variant in variant.violations.map { result($0, variant, scenario) } }
  }

  private static func result(
    _ violation: ViolationReport, _ variant: VariantReport, _ scenario: ScenarioReport
  ) -> JSONTree {
    let places = places(violation)
    var result = JSONTree.Builder()
    result.add("ruleId", violation.invariant.visible)
    result.add("level", violation.isExpected ? "note" : "error")
    result.add("message", message("\(violation.headline)\nreplay: \(violation.replayCommand)"))
    let own = location(of: scenario, saying: "\(scenario.name) · \(variant.name)")
    let all = places.map { location($0) } + [own].compactMap(\.self)
    result.add("locations", Array(all.prefix(1)))
    if all.count > 1 { result.add("relatedLocations", Array(all.dropFirst())) }
    result.add(
      "partialFingerprints", ["race/v1": fingerprint(violation, variant, scenario)] as JSONTree)
    return result.tree
  }

  /// The lines of the race in this repository: where each step was last, the latest first. The execution ends with the
  /// violation, so that the first of them ran just before it.
  private static func places(_ violation: ViolationReport) -> [Explorer.Chart.Place] {
    var known: Set<Explorer.Chart.Place> = []
    let steps = (violation.chart?.rows ?? []).reversed()
    let places = steps.compactMap { $0.places.first { $0.path != nil && $0.line > 0 } }
    return places.filter { known.insert($0).inserted }
  }

  /// The same race has the same, wherever its lines have moved.
  private static func fingerprint(
    _ violation: ViolationReport, _ variant: VariantReport, _ scenario: ScenarioReport
  ) -> JSONTree {
    let parts = [scenario.file, scenario.name, variant.name, violation.invariant, violation.diagnosis ?? ""]
    return .string(parts.map(\.visible).joined(separator: " · "))
  }

  private static func location(_ place: Explorer.Chart.Place) -> JSONTree {
    let said = place.function + (place.text.map { ": \($0)" } ?? "")
    return location(place.path ?? place.file, place.line, nil, saying: said)
  }

  /// Nil for a scenario that is made up: it stands in no file.
  private static func location(of scenario: ScenarioReport, saying text: String) -> JSONTree? {
    if scenario.file == MadeUp.file { return nil }
    let place = scenario.position
    return location(GitHubText.relative(scenario.file), place.line, place.column, saying: text)
  }

  private static func location(_ path: String, _ line: Int, _ column: Int?, saying text: String) -> JSONTree {
    var region = JSONTree.Builder()
    region.add("startLine", line)
    region.add("startColumn", column)
    let physical: JSONTree = [
      "artifactLocation": artifact(path), "region": region.tree,
    ]
    return ["physicalLocation": physical, "message": message(text)]
  }

  /// A path that begins at the root is a place on this machine; any other one is the repository's.
  private static func artifact(_ path: String) -> JSONTree {
    let isWhole = path.hasPrefix("/")
    let uri = JSONTree.string((isWhole ? "file://" : "") + escaped(path))
    return isWhole ? ["uri": uri] : ["uri": uri, "uriBaseId": "%SRCROOT%"]
  }

  private static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      let isPlain = byte.isLetter || byte.isDigit || "/-._~".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + digits
    }.joined()
  }

  private static func message(_ text: String) -> JSONTree {
    ["text": .string(plain(text.visibleLines))]
  }

  /// A text in which no placeholder and no link is read (SARIF 2.1.0, 3.11.5 and 3.11.6): braces are always doubled; brackets, and
  /// the backslashes that would undo it, are escaped where there could be a link. Elsewhere the standard lets them be, and
  /// not every viewer takes the escapes away again.
  static func plain(_ text: String) -> String {
    let mayLink = text.unicodeScalars.contains("](".unicodeScalars)
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "{", "}": plain.unicodeScalars.append(scalar)
      case "[" where mayLink, "]" where mayLink, "\\" where mayLink: plain += "\\"
      default: break
      }
      plain.unicodeScalars.append(scalar)
    }
    return plain
  }
}

// MARK: - What is no violation

extension SARIFText {
  private static func invocation(_ report: RunReport) -> JSONTree {
    let ofVariants = report.scenarios.flatMap { scenario in
      scenario.variants.flatMap { notifications($0, of: scenario) } + untested(scenario)
    }
    let remarks = RunText.remarks(report).map { notification("warning", $0, nil) }
    var invocation = JSONTree.Builder()
    invocation.add("executionSuccessful", report.cutShort == nil && report.notJudged == 0)
    invocation.add("toolExecutionNotifications", ofVariants + remarks)
    return invocation.tree
  }

  private static func notifications(_ variant: VariantReport, of scenario: ScenarioReport) -> [JSONTree] {
    // What was not expected to be violated is a result.
    let level = variant.isStrict ? "error" : "warning"
    return (variant.otherComplaints.map { ("error", $0) } + variant.outdated.map { (level, $0) }).map {
      notification($0, "\(scenario.name) · \(variant.name): \($1.text)", scenario)
    }
  }

  private static func untested(_ scenario: ScenarioReport) -> [JSONTree] {
    if scenario.untested.isEmpty { return [] }
    let text = "\(scenario.name): not tested: \(scenario.untested.sentences.joined(separator: "; "))"
    return [notification(scenario.isStrict ? "error" : "warning", text, scenario)]
  }

  private static func notification(_ level: String, _ text: String, _ scenario: ScenarioReport?) -> JSONTree {
    var notification = JSONTree.Builder()
    notification.add("level", level)
    notification.add("message", message(text))
    notification.add("locations", scenario.flatMap { location(of: $0, saying: $0.name) }.map { [$0] })
    return notification.tree
  }
}
