import Simulator
import SimulatorReports
import Testing

@testable import Scenarios

@Suite struct NewlyFoundTests {
  private func report(naive: String, replays: [String]) -> VariantReport {
    let list = replays.map { "\"\($0)\"" }.joined(separator: ", ")
    let recorded = replays.isEmpty ? "" : #", "replays": { "naive": [ \#(list) ] }"#
    return SampleReport.report(
      of: #"""
        { "version": 1, "scenarios": [ { "name": "slow", "about": "The user leaves.", "system": "slow-dismiss",
          "world": { "network": { "GET /profile": { "delay": "5s" } } },
          "script": [ { "do": "open" }, { "do": "leave", "at": "2s" } ],
          "check": [ "nothing-after-dismissal", "no-orphaned-write" ], "search": { "schedules": 5 },
          "expect": { "naive": \#(naive), "hardened": "holds" }\#(recorded) } ] }
        """#
    ).scenarios[0].variants[0]
  }

  private let both = #"[ "nothing-after-dismissal", "no-orphaned-write" ]"#

  @Test(arguments: [true, false])
  func `a schedule that shows two violations is recorded once, known or not`(isKnown: Bool) throws {
    let first = report(naive: isKnown ? both : #""holds""#, replays: [])
    #expect(first.violations.count == 2)
    #expect(first.newlyFound == [first.violations[0].token])
  }

  @Test func `what a recorded schedule shows again is not recorded again`() throws {
    let first = report(naive: both, replays: [])
    #expect(report(naive: both, replays: first.newlyFound).newlyFound == [])
  }

  @Test func `beside a schedule that no longer shows it another is recorded`() throws {
    let build = Schedule.Token.Build.current
    let stale = report(naive: both, replays: ["\(build)/#00000000"])
    #expect(stale.newlyFound.count == 1)
    #expect(stale.newlyFound != ["\(build)/#00000000"])
  }

  @Test func `a schedule of the other build is no proof in this one`() throws {
    let first = report(naive: both, replays: [])
    let other = first.newlyFound[0].replacing(
      Schedule.Token.Build.current.rawValue,
      with: Schedule.Token.Build.current == .debug ? "release" : "debug")
    #expect(report(naive: both, replays: [other]).newlyFound == first.newlyFound)
  }
}
