import Foundation
import Simulator
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
    Explorer.Processes.eachFresh, .oneAndFresh, .fewAndFresh, .one(why: "because"), .one(why: nil),
  ])
  func `the processes of a search fit the schema, and are read again`(_ processes: Explorer.Processes) throws
  {
    let read = try readAgain { $0.processes = processes }
    #expect(read.processes == processes)
  }

  @Test(arguments: Explorer.Report.Interruption.all)
  func `an interruption fits the schema, and is read again`(_ why: Explorer.Report.Interruption) throws {
    let read = try readAgain { $0.interruption = why }
    #expect(read.interruption == why)
  }

  @Test func `an interruption in words only is no interruption that can be read`() throws {
    let text = json(report(with: { $0.interruption = .notJudged })).replacing(
      #""interrupted": "not-judged","#, with: "")
    #expect(text.contains(#""interruption": "not judged"#))
    let document = try JSONDecoder().decode(ReportDocument.self, from: Data(text.utf8))
    let flaw = #expect(throws: ReportFlaw.self) { try document.report() }
    #expect(flaw?.key == "interrupted")
  }

  /// A variant of a report as it is after a change, written as JSON that fits the schema, and read.
  private func readAgain(_ change: (inout VariantReport) -> Void) throws -> VariantReport {
    let text = json(report(with: change))
    #expect(try schema.faults(in: text) == [])
    let read = try JSONDecoder().decode(ReportDocument.self, from: Data(text.utf8)).report()
    return read.scenarios[0].variants[0]
  }

  /// A report of all shards, with a change in its only variant.
  private func report(with change: (inout VariantReport) -> Void) -> RunReport {
    let shards = ShardSet(count: 1, held: [1], run: RunIdentity(executable: "", files: "", options: []))
    var report = SampleReport.full(of: "text", in: shards)
    var variants = report.scenarios[0].variants
    change(&variants[0])
    let whole = report.scenarios[0]
    report.scenarios = [
      ScenarioReport(
        file: whole.file, position: whole.position, name: whole.name, about: whole.about,
        system: whole.system, search: whole.search, untested: whole.untested, isStrict: report.isStrict,
        variants: variants)
    ]
    return report
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
