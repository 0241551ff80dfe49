import Foundation
import Simulator

/// Runs scenarios in this process and tells what became of them.
struct SimulatorEngine: ScenarioEngine {
  let systems: [any System.Type]

  func run(_ request: RunRequest, on terminal: Terminal) throws -> ToolStatus {
    try RuntimeControl.verify()
    var reporter = try RunReporter(request, on: terminal)
    for entry in request.entries {
      let result = ScenarioRunner(scenario: entry.scenario, type: try type(of: entry.scenario)).run()
      try reporter.add(result, file: entry.file)
    }
    return try reporter.finish()
  }

  func tell(_ card: SystemCard, _ entries: [RunRequest.Entry], on terminal: Terminal) throws {
    guard let first = entries.first else { return }
    try RuntimeControl.verify()
    let type = try type(of: first.scenario)
    let hardest = entries.first { $0.scenario.search.exhaustDeviations != nil } ?? first
    let story = StoryText(
      card: card, told: ScenarioRunner(scenario: first.scenario, type: type).run(), file: first.file,
      proof: ScenarioRunner(scenario: hardest.scenario.whereHolding, type: type).run())
    try terminal.line(story.text)
  }

  func audit(_ scenario: Scenario, on terminal: Terminal) throws {
    try RuntimeControl.verify()
    let type = try type(of: scenario)
    let audits = scenario.expectations.map { expectation in
      let body = scenario.body(expectation.variant, of: type)
      let execution = simulate(.natural, options: scenario.executionOptions, body)
      return (expectation.variant, Audit(execution))
    }
    try terminal.line(AuditText.of(scenario, audits))
  }

  func replay(_ request: ReplayRequest, on terminal: Terminal) throws -> ToolStatus {
    try RuntimeControl.verify()
    let runner = ScenarioRunner(scenario: request.scenario, type: try type(of: request.scenario))
    let token = try ScheduleToken(parsing: request.token)
    let result = runner.explorer(request.variant).replay(token)
    try terminal.line(ReplayText.of(result, request))
    return result.divergence == nil && !result.execution.violations.isEmpty ? .asExpected : .notAsExpected
  }

  /// What is wrong with a token; nil if it can be read.
  static func tokenFlaw(_ text: String) -> String? {
    do throws(ScheduleToken.ParsingError) {
      _ = try ScheduleToken(parsing: text)
      return nil
    } catch {
      return error.description
    }
  }

  private func type(of scenario: Scenario) throws -> any System.Type {
    guard let type = systems.first(where: { $0.card.name == scenario.system }) else {
      throw UnknownName("system", scenario.system)
    }
    return type
  }
}
