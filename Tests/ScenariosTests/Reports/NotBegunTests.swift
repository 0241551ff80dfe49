import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// A variant of which nothing was tried.
@Suite struct `A variant that was not begun` {
  private static func report(schedules: Int) -> VariantReport {
    var variant = VariantReport()
    (variant.name, variant.schedules) = ("naive", schedules)
    (variant.behaviors, variant.steps) = (schedules, schedules)
    if schedules == 0 { variant.interruption = .stopped }
    return variant
  }

  @Test func `holds nothing, in every rendering`() {
    let report = Self.report(schedules: 0)
    #expect(!report.holds)
    #expect(RunText.verdict(report) == "NOT BEGUN")
  }

  private static func empty(isStrict: Bool) -> RunReport {
    var report = RunReport()
    (report.seeds, report.isStrict) = ([0], isStrict)
    return report
  }

  private static func junit(isStrict: Bool = false, _ reason: RunEnding.Reason) throws -> XMLTree.Element {
    var scenario = ScenarioReport()
    (scenario.file, scenario.name, scenario.variants) = ("t.json", "slow", [report(schedules: 0)])
    var report = empty(isStrict: isStrict)
    report.scenarios = [scenario]
    report.ending.reason = reason
    let root = try #require(XMLTree.root(of: ReportFormat.junit.render(report)))
    #expect(JUnitTests.faults(in: root) == [])
    return root
  }

  @Test func `is skipped in JUnit, with the reason`() throws {
    for reason in [RunEnding.Reason.finished, .timeLimit] {
      let root = try Self.junit(reason)
      #expect(root.all("skipped").map { $0.attributes["message"] } == ["NOT BEGUN"])
      #expect(root.attributes["errors"] == "0")
    }
  }

  @Test func `is an error in JUnit where that fails the run, with the reason`() throws {
    for root in [try Self.junit(isStrict: true, .timeLimit), try Self.junit(.signal(2))] {
      #expect(root.all("skipped").isEmpty)
      #expect(root.attributes["errors"] == "1")
      #expect(root.all("error").map { $0.attributes["message"] } == ["NOT BEGUN"])
      #expect(root.all("error").map { $0.attributes["type"] } == ["interrupted"])
    }
  }

  @Test func `is told in JUnit where its scenario was not begun either`() throws {
    var report = Self.empty(isStrict: true)
    report.ending = RunEnding(reason: .timeLimit, notBegun: 3)
    let root = try #require(XMLTree.root(of: ReportFormat.junit.render(report)))
    #expect(JUnitTests.faults(in: root) == [])
    #expect(root.attributes["errors"] == "1")
    #expect(
      root.all("error").map { $0.attributes["message"] }
        == [
          "ended by the time limit: 3 scenarios not begun; --strict wants all of it: give it more time, or fewer schedules"
        ])
    report.ending.reason = .finished
    #expect(!ReportFormat.junit.render(report).contains("<error"))
  }

  @Test(arguments: [true, false]) func `is an error where all is wanted, and else a warning`(isStrict: Bool) {
    var report = Self.empty(isStrict: isStrict)
    report.ending = RunEnding(reason: .timeLimit, notBegun: 3)
    let lines = ReportFormat.github.render(report).split(separator: "\n")
    #expect(
      lines.first?.hasPrefix("::\(isStrict ? "error" : "warning")::ended by the time limit: 3 scenarios")
        == true)
    #expect(
      lines.last?.hasSuffix(
        isStrict ? "not as expected: it was not searched to the end" : "nothing unexpected so far") == true)
  }

  @Test func `is told from one that holds in one schedule, and in which processes`() {
    var report = Self.report(schedules: 1)
    #expect(report.holds)
    #expect(RunText.verdict(report) == "holds in 1 schedule, 1 behavior, in one process")
    report.processes = ProcessesReport(.oneAndFresh)
    #expect(RunText.verdict(report) == "holds in 1 schedule, 1 behavior, in one process")
    report.processes = ProcessesReport(.eachFresh)
    #expect(RunText.verdict(report) == "holds in 1 schedule, 1 behavior, each in a fresh process")
    report.processes = ProcessesReport(.one(why: "this process has other threads"))
    #expect(RunText.verdict(report).hasSuffix("(not tried in a fresh one: this process has other threads)"))
  }
}
