import ScenarioFiles
import Simulator

extension ReportFormat {
  /// As GitHub, GitLab and Jenkins read it.
  static let junit = ReportFormat(name: "junit", explainsAll: true) { JUnitText.of($0) }
}

/// A report in the XML of JUnit, as GitHub's actions, GitLab and Jenkins read it.
///
/// A scenario is a test suite, a variant a test case. A case has at most one failure, for most readers show
/// no other. What was not judged is an error where that fails the run: a failure would say that something was found, and
/// readers take a case that is skipped for one that is well.
enum JUnitText {
  static func of(_ report: RunReport) -> String {
    let suites = report.scenarios.map { suite($0, report) } + [notBegun(report)].compactMap(\.self)
    let attributes =
      [
        ("name", ToolIdentity.name), ("tests", "\(suites.map(\.cases).reduce(0, +))"),
        ("failures", "\(suites.map(\.failures).reduce(0, +))"),
        ("errors", "\(suites.map(\.errors).reduce(0, +))"),
      ] + time(report.milliseconds)
    let root = XMLElement(name: "testsuites", attributes: attributes, children: suites.map(\.element))
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.lines()
  }

  private struct Suite {
    let element: XMLElement
    let cases: Int
    let failures: Int
    let errors: Int
  }

  private static func suite(_ scenario: ScenarioReport, _ report: RunReport) -> Suite {
    let cases =
      scenario.variants.map { testCase($0, of: scenario, report) }
      + (report.isStrict ? [coverage(scenario)] : [])
    let count = { (name: String) in cases.count { $0.children.contains { $0.name == name } } }
    let (failures, errors) = (count("failure"), count("error"))
    let attributes =
      [
        ("name", scenario.name), ("tests", "\(cases.count)"), ("failures", "\(failures)"),
        ("errors", "\(errors)"), ("skipped", "\(count("skipped"))"), ("file", scenario.file),
      ] + time(scenario.milliseconds)
    let properties =
      ([
        ("seed", "\(scenario.search.seed)"), ("strategy", scenario.search.strategy),
        ("build", report.build.rawValue), ("system", scenario.system), ("about", scenario.about),
      ] + (report.shards.map { [("shards", $0.text)] } ?? [])).map {
        XMLElement(name: "property", attributes: [("name", $0.0), ("value", $0.1)])
      }
    let element = XMLElement(
      name: "testsuite", attributes: attributes,
      children: [XMLElement(name: "properties", attributes: [], children: properties)] + cases)
    return Suite(element: element, cases: cases.count, failures: failures, errors: errors)
  }

  /// Where scenarios that nobody began fail the run, that is told too: they have no suite of their own.
  private static func notBegun(_ report: RunReport) -> Suite? {
    guard report.failsWhereCutShort, report.ending.notBegun > 0, let cutShort = report.cutShort else {
      return nil
    }
    let name = "everything is begun"
    let testCase = XMLElement(
      name: "testcase", attributes: [("name", name), ("classname", ToolIdentity.name)],
      children: [problem("error", cutShort, type: "interrupted", text: cutShort)])
    let attributes = [
      ("name", ToolIdentity.name), ("tests", "1"), ("failures", "0"), ("errors", "1"), ("skipped", "0"),
    ]
    return Suite(
      element: XMLElement(name: "testsuite", attributes: attributes, children: [testCase]), cases: 1,
      failures: 0, errors: 1)
  }

  private static func testCase(
    _ variant: VariantReport, of scenario: ScenarioReport, _ report: RunReport
  ) -> XMLElement {
    let rendered = VariantText(variant: variant, scenario: scenario, build: report.build)
    let child: XMLElement =
      if !variant.isAsExpectedSoFar {
        problem("failure", rendered.summary, type: rendered.kind, text: rendered.whole)
      } else if variant.isNotJudged {
        problem("error", rendered.summary, type: rendered.kind, text: rendered.whole)
      } else if variant.isStopped || !variant.hasTried {
        unfinished(variant, rendered, report)
      } else {
        XMLElement(name: "system-out", attributes: [], text: rendered.whole)
      }
    return XMLElement(
      name: "testcase",
      attributes: place(variant.name, scenario) + time(variant.milliseconds), children: [child])
  }

  /// A variant whose search was ended: skipped, unless that fails the run.
  private static func unfinished(
    _ variant: VariantReport, _ rendered: VariantText, _ report: RunReport
  ) -> XMLElement {
    let verdict = RunText.verdict(variant)
    guard variant.isStopped, report.failsWhereCutShort else {
      return XMLElement(name: "skipped", attributes: [("message", verdict)])
    }
    return problem("error", verdict, type: "interrupted", text: rendered.whole)
  }

  /// Where nothing may stay untested, that is a test of its own.
  private static func coverage(_ scenario: ScenarioReport) -> XMLElement {
    let sentences = scenario.untested.sentences
    let failures =
      !scenario.failsUntested
      ? []
      : [
        problem(
          "failure", "not tested: \(sentences.joined(separator: "; "))", type: "untested",
          text: "seed \(scenario.search.seed)\n\(sentences.joined(separator: "\n"))")
      ]
    return XMLElement(
      name: "testcase", attributes: place("everything is put to the test", scenario), children: failures)
  }

  private static func problem(_ name: String, _ message: String, type: String, text: String) -> XMLElement {
    XMLElement(name: name, attributes: [("message", message), ("type", type)], text: text)
  }

  private static func place(_ name: String, _ scenario: ScenarioReport) -> [(name: String, value: String)] {
    [
      ("name", name), ("classname", scenario.name), ("file", scenario.file),
      ("line", "\(scenario.position.line)"),
    ]
  }

  private static func time(_ milliseconds: Int?) -> [(name: String, value: String)] {
    guard let milliseconds else { return [] }
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    return [("time", "\(milliseconds / 1_000).\(fraction)")]
  }
}
