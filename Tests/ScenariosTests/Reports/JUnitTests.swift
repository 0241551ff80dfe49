import Testing

@testable import Scenarios

@Suite struct JUnitTests {
  /// What each element may have: the rules that Jenkins' schema (junit-10.xsd) has for them, and of each test
  /// case the place, which GitLab reads.
  private static let rules: [String: (required: Set<String>, optional: Set<String>, children: Set<String>)] =
    [
      "testsuites": (["name", "tests", "failures", "errors"], ["time"], ["testsuite"]),
      "testsuite": (
        ["name", "tests", "failures", "errors"], ["skipped", "time", "file"], ["properties", "testcase"]
      ),
      "properties": ([], [], ["property"]),
      "property": (["name", "value"], [], []),
      "testcase": (
        ["name", "classname"], ["file", "line", "time"], ["failure", "error", "skipped", "system-out"]
      ),
      "failure": (["message", "type"], [], []),
      "error": (["message", "type"], [], []),
      "skipped": (["message"], [], []),
      "system-out": ([], [], []),
    ]

  static func faults(in element: XMLTree.Element) -> [String] {
    guard let rule = rules[element.name] else { return ["\(element.name) is unknown"] }
    let names = Set(element.attributes.keys)
    let attributes =
      rule.required.subtracting(names).map { "\(element.name) lacks \($0)" }
      + names.subtracting(rule.required.union(rule.optional)).map { "\(element.name) has \($0)" }
    let wrong = element.children.filter { !rule.children.contains($0.name) }
    return attributes + wrong.map { "\(element.name) holds \($0.name)" }
      + counts(element) + element.children.flatMap(faults)
  }

  private static func counts(_ element: XMLTree.Element) -> [String] {
    guard element.attributes["tests"] != nil else { return [] }
    let cases = element.all("testcase")
    let count = { (name: String) in cases.count { $0.children.contains { $0.name == name } } }
    let skipped = element.attributes["skipped"].map { _ in ("skipped", count("skipped")) }
    return
      ([("tests", cases.count), ("failures", count("failure")), ("errors", count("error"))]
      + [skipped].compactMap(\.self))
      .filter { element.attributes[$0.0] != "\($0.1)" }.map { "\(element.name) miscounts \($0.0)" }
  }

  private func root(_ report: RunReport) throws -> XMLTree.Element {
    try #require(XMLTree.root(of: ReportFormat.junit.render(report)))
  }

  @Test func `reports keep to what readers of JUnit know`() throws {
    #expect(Self.faults(in: try root(SampleReport.real)) == [])
    #expect(Self.faults(in: try root(SampleReport.full(of: "text"))) == [])
    #expect(Self.faults(in: try root(SampleReport.full(of: "text", isStrict: false))) == [])
  }

  @Test func `the rules can be broken`() throws {
    let text = ReportFormat.junit.render(SampleReport.real)
    let broken = [
      text.replacing("tests=\"4\"", with: "tests=\"5\""), text.replacing(" type=", with: " kind="),
      text.replacing("<system-out>", with: "<out>").replacing("</system-out>", with: "</out>"),
    ]
    for text in broken { #expect(try !Self.faults(in: #require(XMLTree.root(of: text))).isEmpty) }
    #expect(XMLTree.root(of: text.replacing("&quot;", with: "\"").replacing("</failure>", with: "<")) == nil)
  }

  @Test func `a failure says what, with the seed and the line that replays it`() throws {
    let cases = try root(SampleReport.real).all("testcase")
    #expect(cases.map { $0.attributes["classname"] } == ["slow", "slow", "anytime", "anytime"])
    #expect(cases.map { $0.attributes["line"] } == ["2", "2", "8", "8"])
    let failures = cases.flatMap { $0.all("failure") }
    let failure = try #require(failures.first)
    #expect(failures.count == 1)
    #expect(failure.attributes["type"] == "no-orphaned-write")
    for text in [failure.attributes["message"] ?? "", failure.text] {
      #expect(text.contains("seed 0"))
      #expect(text.contains("replay: swift run"))
      #expect(text.contains("t.json slow naive"))
    }
    #expect(failure.attributes["message"]?.hasPrefix("not expected: no-orphaned-write · Outlived") == true)
  }

  @Test func `times are shown only where they are asked for, in seconds`() throws {
    #expect(!ReportFormat.junit.render(SampleReport.real).contains(" time="))
    let timed = try root(SampleReport.full(of: "text"))
    #expect(timed.attributes["time"] == "61.005")
    #expect(timed.all("testcase").first?.attributes["time"] == "1.234")
  }

  @Test func `what was never put to the test fails a strict run in a case of its own`() throws {
    let strict = try root(SampleReport.full(of: "text")).all("testcase")
    #expect(strict.last?.attributes["name"] == "everything is put to the test")
    #expect(strict.last?.children.first?.attributes["type"] == "untested")
    #expect(try root(SampleReport.full(of: "text", isStrict: false)).all("testcase").count == 1)
  }
}
