import Foundation
import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct ReportJSONTests {
  private let schema: JSONSchema

  init() throws {
    schema = try JSONSchema(RunReport.schema)
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
    let read = try readAgain { $0.processes = ProcessesReport(processes, shards: 1) }
    #expect(read.processes.value == processes)
  }

  @Test(arguments: [
    Strategies.Coverage.everySchedule, .everyBehavior, .deviations(atMost: 0),
    .stories(Strategies.StoryBound(actions: 3, answers: 0, deviations: 2)),
  ])
  func `what was covered fits the schema, and is read again`(_ coverage: Strategies.Coverage) throws {
    let read = try readAgain {
      $0.coverage = CoverageReport(goal: CoverageGoal(coverage), schedules: 7, text: "all")
    }
    #expect(read.coverage?.goal.value == coverage)
  }

  @Test(arguments: Explorer.Report.Interruption.allCases)
  func `an interruption fits the schema, and is read again`(_ why: Explorer.Report.Interruption) throws {
    let read = try readAgain { $0.interruption = why }
    #expect(read.interruption == why)
  }

  @Test(arguments: [
    (#""holds": false"#, #""holds": true"#, "“scenarios.0.variants.0.holds” contradicts the rest"),
    (
      #""verdict": "unexpected""#, #""verdict": "holds""#,
      "“scenarios.0.variants.0.verdict” contradicts the rest"
    ),
    (#""violated": ["text"]"#, #""violated": []"#, "“scenarios.0.variants.0.violated” contradicts the rest"),
    (#""asExpected": false"#, #""asExpected": true"#, "“asExpected” contradicts the rest"),
    (#""strict": true"#, #""strict": true, "more": 1"#, "“more” contradicts the rest"),
    (
      #""interruption": "stopped""#, #""interruption": "lost""#,
      "“scenarios.0.variants.0.interruption” says what no report says"
    ),
    (#""kind": "deviations","#, "", "“scenarios.0.variants.0.coverage.goal.kind” is missing"),
    (
      #""kind": "deviations""#, #""kind": "stories""#,
      "“scenarios.0.variants.0.coverage.goal” says what no report says"
    ),
    (#""step": 3"#, #""step": "3""#, "“scenarios.0.variants.0.violations.0.step” is of another kind"),
  ])
  func `a report whose parts contradict each other is refused`(
    piece: String, replacement: String, flaw: String
  ) throws {
    let text = json(report { $0.interruption = .stopped })
    _ = try Merge.read(Array(text.utf8), named: "r")
    let place = try #require(text.range(of: piece), "\(text)")
    let wrong = text.replacingCharacters(in: place, with: replacement)
    let fault = #expect(throws: MergeFault.self) { try Merge.read(Array(wrong.utf8), named: "r") }
    #expect(fault == .noReport("r", reason: flaw))
  }

  /// A variant of a report as it is after a change, written as JSON that fits the schema, and read.
  private func readAgain(_ change: (inout VariantReport) -> Void) throws -> VariantReport {
    let text = json(report(with: change))
    #expect(try schema.faults(in: text) == [])
    return try Merge.read(Array(text.utf8), named: "r").scenarios[0].variants[0]
  }

  /// A report of all shards, with a change in its only variant.
  private func report(with change: (inout VariantReport) -> Void) -> RunReport {
    var report = SampleReport.full(of: "text", in: ShardSet(count: 1, held: [1]))
    change(&report.scenarios[0].variants[0])
    return report
  }

  @Test(arguments: [
    (#""version": 2"#, #""version": 1"#, "$.version: is not the constant"),
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
    #expect(violation["timeline"]?.members?["rows"]?.elements.count ?? 0 > 5)
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
