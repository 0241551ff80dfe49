import Foundation
import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct ReportJSONTests {
  private let schema: JSONSchema

  init() throws {
    schema = try JSONSchema(ReportSchema.text)
  }

  private func json(_ report: RunReport) -> String { ReportFormat.json.render(report) }

  @Test func `a real report is valid`() throws {
    #expect(try schema.faults(in: json(SampleReport.real)) == [])
  }

  @Test func `a report with everything in it is valid`() throws {
    #expect(try schema.faults(in: json(SampleReport.full(of: "text"))) == [])
  }

  @Test(arguments: [
    (#""version": 1"#, #""version": 2"#, "$.version: is not the constant"),
    (#""strict": false"#, #""strict": "no""#, "$.strict: is no boolean"),
    (#""strict": false,"#, "", "$: lacks strict"),
    (#""strict": false"#, #""strict": false, "more": 1"#, "$: more is not allowed"),
    (#""step": 11"#, #""step": -11"#, "$.scenarios[0].variants[0].violations[0].step: below 0.0"),
    (#""outcome": "diverged""#, #""outcome": "lost""#, "$.scenarios[0].variants[0].replays"),
    (#""line": 2"#, #""line": 2.5"#, "$.scenarios[0].line: is no integer"),
    (#""replays": ["#, #""replays": [7,"#, "$.scenarios[0].variants[0].replays[0]: is no object"),
  ])
  func `the schema refuses what is not a report`(piece: String, replacement: String, fault: String) throws {
    let good = json(SampleReport.real)
    let place = try #require(good.range(of: piece))
    let found = try schema.faults(in: good.replacingCharacters(in: place, with: replacement))
    #expect(found.contains { $0.hasPrefix(fault) })
  }

  @Test func `a report says what became of each variant`() throws {
    let root = try #require(JSONReader.read(Array(json(SampleReport.real).utf8)).root)
    let scenarios = try #require(root.members?["scenarios"]?.elements)
    let variants = scenarios.flatMap { $0.members?["variants"]?.elements ?? [] }
    #expect(
      variants.map { $0.members?["asExpected"]?.value } == [
        .bool(false), .bool(true), .bool(true), .bool(true),
      ])
    #expect(variants[0].members?["unexpected"]?.elements.map(\.text) == ["no-orphaned-write"])
    #expect(variants[1].members?["noLongerFound"]?.elements.map(\.text) == ["no-orphaned-write"])
    let violation = try #require(variants[0].members?["violations"]?.elements.first?.members)
    #expect(violation["nanoseconds"]?.value == .number(JSONNumber(literal: "5000000000")))
    #expect(violation["replay"]?.text.hasPrefix("swift run") == true)
    #expect(violation["timeline"]?.elements.count ?? 0 > 5)
    #expect(scenarios[1].members?["line"]?.value == .number(JSONNumber(literal: "8")))
    #expect(json(SampleReport.real).contains("\"seed\": 18446744073709551615"))
  }

  @Test func `wall-clock times are shown only where they are asked for`() {
    #expect(!json(SampleReport.real).contains("milliseconds"))
    #expect(json(SampleReport.full(of: "text")).contains("\"milliseconds\": 61005"))
  }

  @Test func `a text comes back from JSON as it was`() throws {
    let text = "a\u{1B}[31m\"\\\u{202E}é😀\u{0}\r\n##[x] \u{10FFFF}"
    let root = try #require(JSONReader.read(Array(json(SampleReport.full(of: text)).utf8)).root)
    #expect(root.members?["scenarios"]?.elements.first?.members?["about"]?.text == text)
  }
}
