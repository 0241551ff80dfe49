import Foundation
import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// What a worker finds reaches its parent whole.
@Suite struct `Results handed over` {
  @Test func `a scenario is the same on the other side`() throws {
    #expect(Catalogued.scenarios.count > 50)
    for scenario in Catalogued.scenarios {
      let bytes = try JSONEncoder().encode(scenario)
      #expect(try JSONDecoder().decode(Scenario.self, from: bytes) == scenario)
    }
  }

  @Test func `what was found reads the same on the other side`() throws {
    var violations = 0
    for scenario in Catalogued.scenarios.prefix(4) {
      var few = scenario
      few.search.schedules = 100
      let runner = ScenarioRunner(scenario: few, type: scenario.type)
      for expectation in few.expectations {
        let sent = WorkResult(result: runner.run(expectation), usage: runner.usage.total)
        let received = try JSONDecoder().decode(WorkResult.self, from: try JSONEncoder().encode(sent))
        #expect(received.result.report.description == sent.result.report.description)
        #expect(received.usage.lines == sent.usage.lines)
        #expect(received.usage.replies == sent.usage.replies)
        violations += sent.result.report.violations.count
        #expect(Self.told(received, few) == Self.told(sent, few))
      }
    }
    #expect(violations > 3)
  }

  /// Everything that any report tells.
  private static func told(_ result: WorkResult, _ scenario: Scenario) -> ScenarioReport {
    var result = result.result
    result.duration = .zero
    return ScenarioReport(
      ScenarioResult(scenario: scenario, variants: [result], untested: []), file: "f",
      ReportConditions(isStrict: true))
  }

  @Test func `a schedule that cannot be reproduced is reported with its first difference`() throws {
    let divergence = try #require(
      Explorer.Divergence(
        expected: Schedule.Token(schedule: .natural, digest: 1), found: simulate { _ in }))
    let sent = ReplayedToken(
      replay: RecordedReplay(variant: "v", token: "t", position: SourcePosition(line: 1, column: 2)),
      outcome: .diverged(divergence))
    let received = try JSONDecoder().decode(ReplayedToken.self, from: try JSONEncoder().encode(sent))
    guard case .diverged(let other) = received.outcome else {
      Issue.record("\(received.outcome)")
      return
    }
    #expect(other.description == divergence.description)
  }

  @Test func `messages arrive whole, however they are cut`() throws {
    let values = ["a", String(repeating: "b", count: 1_000), ""]
    let bytes = try values.reduce(into: Data()) {
      $0.append(ProcessMessage.framed(try JSONEncoder().encode($1)))
    }
    var pending = Data()
    var found: [String] = []
    for byte in bytes {
      pending.append(byte)
      while let body = try ProcessMessage.take(from: &pending) {
        found.append(try JSONDecoder().decode(String.self, from: body))
      }
    }
    #expect(found == values)
    #expect(pending.isEmpty)
  }
}
