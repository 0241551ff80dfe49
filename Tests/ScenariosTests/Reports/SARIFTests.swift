import Foundation
import SimulatorReports
import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct SARIFTests {
  /// What is wrong with a text by the published schema.
  static func faults(in text: String) throws -> [String] { try schema.get().faults(in: text) }

  private static let schema = Result {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/sarif-schema-2.1.0.json")
    return try JSONSchema(String(contentsOf: file, encoding: .utf8))
  }

  private let text = ReportFormat.sarif.render(SampleReport.real)

  private func results() throws -> [JSONNode] {
    let root = try #require(JSONReader.read(Array(text.utf8)).root)
    return try #require(root.members?["runs"]?.elements.first?.members?["results"]).elements
  }

  @Test func `reports are valid by the published schema`() throws {
    #expect(try Self.faults(in: text) == [])
    #expect(try Self.faults(in: ReportFormat.sarif.render(SampleReport.full(of: "text"))) == [])
  }

  @Test func `the schema refuses what is wrong`() throws {
    let broken = [
      text.replacing("\"2.1.0\"", with: "\"2.0.0\""), text.replacing("\"runs\"", with: "\"run\""),
      text.replacing("\"level\": \"note\"", with: "\"level\": \"hint\""),
      text.replacing(/"startLine": \d+/, with: "\"startLine\": 0"),
      text.replacing("\"ruleId\"", with: "\"rule\""),
      text.replacing(/"executionSuccessful": \w+/, with: "\"executionSuccessful\": 1"),
    ]
    for text in broken { #expect(try !Self.faults(in: text).isEmpty) }
  }

  @Test func `an unexpected violation is an error, a known one a note`() throws {
    let levels = try results().map { ($0.members?["ruleId"]?.text, $0.members?["level"]?.text) }
    #expect(levels.contains { $0 == ("no-orphaned-write", "error") })
    #expect(levels.contains { $0 == ("nothing-after-dismissal", "note") })
    #expect(levels.count == SampleReport.real.scenarios.flatMap { $0.variants.flatMap(\.violations) }.count)
  }

  @Test func `a result stands at a line of the program, and says how it is replayed`() throws {
    let result = try #require(try results().first { $0.members?["level"]?.text == "error" }?.members)
    let place = result["locations"]?.elements.first?.members?["physicalLocation"]?.members
    #expect(
      place?["artifactLocation"]?.members?["uri"]?.text
        == "Sources/Catalog/SlowDismiss/NaiveProfile.swift")
    let message = result["message"]?.members?["text"]?.text ?? ""
    #expect(message.hasPrefix("Outlived its owner: "))
    #expect(message.contains("\nreplay: swift run simrun replay t.json slow naive debug/"))
    #expect(
      result["partialFingerprints"]?.members?["race/v1"]?.text
        == "t.json · slow · naive · no-orphaned-write · outlived its owner")
  }

  @Test(arguments: [
    ("{0} of {1}", "{{0}} of {{1}}"), ("[a](b)", #"\[a\](b)"#), (#"[a\](b) \ c"#, #"\[a\\\](b) \\ c"#),
    ("[[x](1)](2)", #"\[\[x\](1)\](2)"#), ("[1, 2] of (3)", "[1, 2] of (3)"), (#"C:\x [y]"#, #"C:\x [y]"#),
    ("{{a}}", "{{{{a}}}}"),
  ])
  func `nothing in a message is a placeholder or a link`(text: String, written: String) throws {
    #expect(SARIFText.plain(text) == written)
    let report = ReportFormat.sarif.render(SampleReport.full(of: text))
    #expect(try Self.faults(in: report) == [])
    let root = try #require(JSONReader.read(Array(report.utf8)).root)
    for message in Self.messages(in: root) {
      #expect(!Self.isLink(message), "\(message)")
      let rest = message.replacing("{{", with: "").replacing("}}", with: "")
      #expect(!rest.contains("{") && !rest.contains("}"), "\(message)")
    }
    #expect(Self.messages(in: root).contains { $0.contains(written) })
  }

  /// The text of every message.
  private static func messages(in node: JSONNode) -> [String] {
    let own = node.members?["text"]?.text
    let inner = (node.members?.values.map { $0 } ?? []) + node.elements
    return [own].compactMap(\.self) + inner.flatMap(messages)
  }

  /// Whether the grammar of the standard, 3.11.6, reads a link somewhere in a message.
  private static func isLink(_ message: String) -> Bool {
    message.contains(/(?:^|[^\\])(?:\\\\)*\[(?:[^\[\]\\]|\\.)*\]\(/)
  }

  @Test func `the grammar of links is read`() {
    #expect(Self.isLink("see [a](b)"))
    #expect(Self.isLink(#"see [a\](b)](c)"#))
    #expect(!Self.isLink(#"see \[a\](b)"#))
    #expect(!Self.isLink("[a] (b)"))
  }

  @Test func `what fails a run and is no violation is a notification`() throws {
    #expect(text.contains("slow · hardened: NO LONGER FOUND: no-orphaned-write"))
    #expect(!text.contains("NOT EXPECTED"))
  }
}
