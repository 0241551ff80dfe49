import Simulator
import SimulatorReports
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// `"tests-nothing"`, which a file says of a test that proves nothing.
@Suite struct `A variant that is to test nothing` {
  private static func report(
    published: String = "\"tests-nothing\"", hardened: String = "\"holds\"", search: String = "gated",
    isStrict: Bool = true
  ) -> RunReport {
    let text = """
      { "version": 1, "scenarios": [
        { "name": "test", "about": "A test.", "system": "test-of-search", "with": { "search": "\(search)" },
          "world": { "network": { "GET /search": { "calls": [ { "delay": "500ms" }, { "delay": "50ms" } ] } } },
          "script": [ { "do": "test" } ], "check": [ "test-passes" ], "search": { "schedules": 20 },
          "expect": { "published": \(published), "hardened": \(hardened) } } ] }
      """
    return SampleReport.report(of: text, isStrict: isStrict)
  }

  @Test(arguments: ["gated", "ungated"])
  func `is as expected where nothing is judged, and says so`(search: String) {
    let report = Self.report(
      hardened: search == "gated" ? "\"holds\"" : "[ \"test-passes\" ]", search: search)
    #expect(report.isAsExpected)
    let variant = report.scenarios[0].variants[0]
    #expect(variant.mark == .known)
    #expect(!variant.holds)
    #expect(RunText.verdict(variant) == "tests nothing in 20 schedules; had nothing to judge: test-passes")
    #expect(report.scenarios[0].untested == [])
  }

  @Test(arguments: [true, false])
  func `fails the run where something is judged, strict or not`(isStrict: Bool) {
    let report = Self.report(hardened: "\"tests-nothing\"", isStrict: isStrict)
    #expect(!report.isAsExpected)
    let variant = report.scenarios[0].variants[1]
    #expect(variant.mark == .unexpected)
    #expect(variant.judgedAfterAll == ["test-passes"])
    #expect(
      RunText.verdict(variant)
        == "violates nothing in 20 schedules; TESTED, THOUGH THE FILE SAYS THAT NOTHING IS: test-passes")
  }

  @Test func `fails the run where something is violated`() {
    let report = Self.report(hardened: "\"tests-nothing\"", search: "ungated", isStrict: false)
    #expect(!report.isAsExpected)
    #expect(report.scenarios[0].variants[1].unexpected.map(\.invariant) == ["test-passes"])
  }

  @Test func `is not what "holds" says: a strict run fails there, as before`() {
    let report = Self.report(published: "\"holds\"")
    #expect(!report.isAsExpected)
    #expect(
      report.scenarios[0].untested.sentences == ["published: test-passes never had anything to judge"])
  }
}
