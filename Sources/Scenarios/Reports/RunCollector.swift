import ScenarioFiles
import Simulator

/// Gathers the results of a run into one report, in the order of the files.
struct RunCollector {
  var report = RunReport()
  private let conditions: ReportConditions
  /// The reports of variants whose scenario is not complete, by its name and theirs.
  private var ready: [String: VariantReport] = [:]
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  /// Begins with the scenarios that are to be played.
  init(_ scenarios: [Scenario], _ conditions: ReportConditions) {
    self.conditions = conditions
    start = clock.now
    report.seeds = Set(scenarios.map(\.search.seed)).sorted()
    (report.isStrict, report.shards) = (conditions.isStrict, conditions.shards)
  }

  /// Makes the report of one variant as soon as something is known of it, and again when that is more: finding source
  /// lines takes time, but only once, and nobody has it when the run is to end.
  mutating func prepare(_ result: VariantResult, of scenario: Scenario, file: String) {
    ready["\(scenario.name) \(result.variant)"] = VariantReport(
      result, of: scenario, file: file, conditions)
  }

  /// Adds the result of one scenario, which is in `file`.
  mutating func add(_ result: ScenarioResult, file: String) -> ScenarioReport {
    let scenario = ScenarioReport(result, file: file, conditions) {
      ready.removeValue(forKey: "\(result.scenario.name) \($0)")
    }
    report.scenarios.append(scenario)
    return scenario
  }

  /// Closes the report: the run has ended, and these schedules are recorded in scenario files.
  mutating func finish(_ ending: RunEnding, recording: (RunReport) -> [RecordedSchedule]) {
    report.ending = ending
    if conditions.hasTimings { report.milliseconds = (clock.now - start).wholeMilliseconds }
    report.recorded = recording(report)
  }
}
