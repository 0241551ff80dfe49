import ScenarioFiles
import Simulator
import SimulatorReports

extension SimulatorEngine {
  /// Writes the stories of `findings`, unless a signal has ended the search.
  func record(
    _ findings: [StoryFinding], by recording: StoryRecording, after ending: RunEnding,
    _ settings: PoolSettings,
    on terminal: Terminal
  ) throws -> StoryRecording.Result {
    if case .signal = ending.reason {
      return StoryRecording.Result(remarks: ["no story was recorded: a signal has ended the search"])
    }
    var pool = settings
    pool.timeLimit = nil
    return try recording.perform(findings, systems: systems) { scenarios in
      var results: [ScenarioResult] = []
      let ending = try play(scenarios, pool, on: terminal) { results.append($1) }
      if case .signal(let signal) = ending.reason { throw Interruption(signal: signal) }
      return results
    }
  }
}

extension StoryFinding {
  /// What a run has found that its schedule decides, in the order of the report.
  static func all(in report: RunReport, of scenarios: [Scenario]) -> [StoryFinding] {
    report.scenarios.flatMap { own -> [StoryFinding] in
      guard let scenario = scenarios.first(where: { $0.name == own.name }) else { return [] }
      return own.variants.flatMap { variant in
        variant.violations.filter(\.isReplayable).map {
          StoryFinding(
            scenario: scenario, variant: variant.name, invariant: $0.invariant, token: $0.token,
            replayCommand: $0.replayCommand)
        }
      }
    }
  }

  /// What a replay has shown.
  static func all(in result: Explorer.ReplayResult, of request: ReplayRequest) -> [StoryFinding] {
    guard result.divergence == nil, let token = request.token else { return [] }
    return result.execution.violations.map {
      StoryFinding(
        scenario: request.scenario, variant: request.variant, invariant: $0.invariant, token: token,
        replayCommand: ReplayCommand.line(request.file, request.scenario.name, request.variant, $0.token))
    }
  }
}
