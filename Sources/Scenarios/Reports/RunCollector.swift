import ScenarioFiles
import Simulator

/// Gathers the results of a run into one report, in the order of the files.
struct RunCollector {
  var report: RunReport
  private let explainsAll: Bool
  private let draws: Bool
  /// The reports of variants whose scenario is not complete, by its name and theirs.
  private var ready: [String: VariantReport] = [:]
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  /// Begins with the scenarios that are to be played.
  init(
    _ scenarios: [Scenario], isStrict: Bool, hasTimings: Bool, explainsAll: Bool, draws: Bool = false,
    shards: ShardSet? = nil
  ) {
    // A report that is to be joined with others explains everything, whoever reads it in the end.
    self.explainsAll = explainsAll || shards != nil
    self.draws = draws || shards != nil
    start = clock.now
    report = RunReport(
      build: .current, seeds: Set(scenarios.map(\.search.seed)).sorted(), isStrict: isStrict,
      hasTimings: hasTimings, shards: shards)
  }

  /// Makes the report of one variant as soon as something is known of it, and again when that is more: finding source
  /// lines takes time, but only once, and nobody has it when the run is to end.
  mutating func prepare(_ result: VariantResult, of scenario: Scenario, file: String) {
    ready["\(scenario.name) \(result.variant)"] = VariantReport(
      result, of: scenario, file: file, isStrict: report.isStrict, explainsAll: explainsAll, draws: draws,
      in: report.shards)
  }

  /// Adds the result of one scenario, which stands in `file`.
  mutating func add(_ result: ScenarioResult, file: String) -> ScenarioReport {
    for variant in result.variants where ready["\(result.scenario.name) \(variant.variant)"] == nil {
      prepare(variant, of: result.scenario, file: file)
    }
    let variants = result.variants.compactMap {
      ready.removeValue(forKey: "\(result.scenario.name) \($0.variant)")
    }
    let scenario = ScenarioReport(result, variants, file: file, isStrict: report.isStrict, in: report.shards)
    report.scenarios.append(scenario)
    return scenario
  }

  /// Closes the report: the run has ended, and these schedules are recorded in scenario files.
  mutating func finish(_ ending: RunEnding, recording: (RunReport) -> [RecordedSchedule]) {
    report.ending = ending
    if case .signal = ending.reason { report.shards?.isInterrupted = true }
    report.duration = clock.now - start
    report.recorded = recording(report)
  }
}
