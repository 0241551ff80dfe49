import Simulator

/// Gathers the results of a run into one report, in the order of the files.
struct RunCollector {
  private(set) var report: RunReport
  private let explainsAll: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  /// Begins with the scenarios that are to be played.
  init(_ scenarios: [Scenario], isStrict: Bool, hasTimings: Bool, explainsAll: Bool) {
    self.explainsAll = explainsAll
    start = clock.now
    report = RunReport(
      build: .current, seeds: Set(scenarios.map(\.search.seed)).sorted(), isStrict: isStrict,
      hasTimings: hasTimings)
  }

  /// Adds the result of one scenario, which stands in `file`.
  mutating func add(_ result: ScenarioResult, file: String) -> ScenarioReport {
    let scenario = ScenarioReport(result, file: file, isStrict: report.isStrict, explainsAll: explainsAll)
    report.scenarios.append(scenario)
    return scenario
  }

  /// Closes the report: the run has ended, and these schedules are recorded in scenario files.
  mutating func finish(_ ending: RunEnding, recording: (RunReport) -> [RecordedSchedule]) {
    report.ending = ending
    report.duration = clock.now - start
    report.recorded = recording(report)
  }
}
