import Simulator
import SimulatorReports
import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct `A variant that could not be judged` {
  private static let reason = "its process was killed 12 times, and no schedule shows why"

  /// A run whose naive variant was not judged, in which the hardened one lacks the violation that its file knows.
  private static func report(isStrict: Bool = false) throws -> RunReport {
    let text = """
      { "version": 1, "scenarios": [
        { "name": "slow", "about": "The user leaves.", "system": "slow-dismiss",
          "world": { "network": { "GET /profile": { "delay": "5s" } } },
          "script": [ { "do": "open" }, { "do": "leave", "at": "2s" } ],
          "check": [ "nothing-after-dismissal" ], "search": { "schedules": 20 },
          "expect": { "naive": [ "nothing-after-dismissal" ], "hardened": "holds" } } ] }
      """
    let file = try ScenarioFile(Array(text.utf8), named: "t.json", in: Catalogued.vocabulary)
    let scenario = try #require(file.scenarios.first)
    let judged = ScenarioRunner(scenario: scenario, type: scenario.type).run()
    let lost = Explorer.Report.notJudged("slow", seed: 0, schedules: 7, found: [], reason: reason)
    let expectation = try #require(scenario.expectation(of: "naive"))
    let naive = VariantResult(variant: "naive", expectation: expectation, report: lost, replays: [])
    let result = ScenarioResult(
      scenario: scenario, variants: [naive] + judged.variants.dropFirst(), untested: [])
    var report = RunReport()
    (report.seeds, report.isStrict) = ([0], isStrict)
    report.scenarios = [ScenarioReport(result, file: "t.json", ReportConditions(isStrict: isStrict))]
    return report
  }

  @Test(arguments: [false, true])
  func `neither holds nor violates, and nothing that the file knows is called gone`(isStrict: Bool) throws {
    let report = try Self.report(isStrict: isStrict)
    let variant = report.scenarios[0].variants[0]
    #expect(!variant.holds)
    #expect(variant.violations.isEmpty)
    #expect(variant.outdated.isEmpty)
    #expect(!report.isAsExpected)
    #expect(report.lacksOnlyJudgment)
  }

  @Test(arguments: ReportFormat.all)
  func `is told in every format, with the reason`(format: ReportFormat) throws {
    let text = format.render(try Self.report()).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(Self.reason), "\(text)")
    #expect(!text.contains("naive holds"))
  }

  @Test func `is an error in JUnit, not a failure, with the reason`() throws {
    let root = try #require(XMLTree.root(of: ReportFormat.junit.render(try Self.report())))
    #expect(JUnitTests.faults(in: root) == [])
    #expect(root.attributes["errors"] == "1")
    #expect(root.attributes["failures"] == "0")
    let error = try #require(root.all("error").first)
    #expect(error.attributes["type"] == "not-judged")
    #expect(error.attributes["message"]?.contains(Self.reason) == true)
  }

  @Test func `makes a valid report, with what is to be known of the machine`() throws {
    var report = try Self.report()
    report.warnings = ["addresses differ"]
    let schema = try JSONSchema(RunReport.schema)
    #expect(try schema.faults(in: ReportFormat.json.render(report)) == [])
    #expect(RunText.summary(report).contains("\nwarning: addresses differ"))
    #expect(RunText.summary(report).contains("\nnot judged: 1 variant"))
  }
}
