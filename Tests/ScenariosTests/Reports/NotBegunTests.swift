import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// A variant of which nothing was tried.
@Suite struct `A variant that was not begun` {
  private static func report(schedules: Int) -> VariantReport {
    VariantReport(
      name: "naive", expected: [], violations: [], replays: [], schedules: schedules, failures: 0,
      behaviors: schedules, steps: schedules, coverage: nil, shortfall: nil, goodTuringEstimate: nil,
      cancellations: nil, vacuous: [], warnings: [], isStrict: false, duration: .zero,
      interruption: schedules == 0 ? .stopped : nil)
  }

  @Test func `holds nothing, in every rendering`() {
    let report = Self.report(schedules: 0)
    #expect(!report.holds)
    #expect(RunText.verdict(report) == "NOT BEGUN")
  }

  private static func junit(isStrict: Bool = false, _ reason: RunEnding.Reason) throws -> XMLTree.Element {
    let scenario = ScenarioReport(
      file: "t.json", position: SourcePosition(line: 1, column: 1), name: "slow", about: "", system: "",
      search: Search(), untested: [], isStrict: false, variants: [report(schedules: 0)])
    var report = RunReport(
      build: .current, seeds: [0], isStrict: isStrict, hasTimings: false, scenarios: [scenario])
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
    var report = RunReport(build: .current, seeds: [0], isStrict: true, hasTimings: false)
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
    var report = RunReport(build: .current, seeds: [0], isStrict: isStrict, hasTimings: false)
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
    report.processes = .oneAndFresh
    #expect(RunText.verdict(report) == "holds in 1 schedule, 1 behavior, in one process")
    report.processes = .eachFresh
    #expect(RunText.verdict(report) == "holds in 1 schedule, 1 behavior, each in a fresh process")
    report.processes = .one(why: "this process has other threads")
    #expect(RunText.verdict(report).hasSuffix("(not tried in a fresh one: this process has other threads)"))
  }
}
