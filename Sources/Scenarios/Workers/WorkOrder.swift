import Simulator

/// An order to a worker: play one variant of one scenario.
struct WorkOrder: Codable, Sendable {
  let scenario: Scenario
  let variant: String
  /// Whether executions are run ahead in children, because one of them has ended a worker.
  let isIsolated: Bool
  /// How many executions are known not to.
  let safeExecutions: Int
  let limits: WorkLimits
}

/// The result of an order.
struct WorkResult: Codable, Sendable {
  let result: VariantResult
  let usage: Usage.Seen
}

extension WorkResult {
  /// The result that is known when workers have ended and the cause cannot be reproduced.
  init(ended unit: WorkUnit, by death: Death, _ scenario: Scenario, _ recorder: FlightRecorder) {
    let remark =
      recorder.threads > 1
      ? "not shrunk: a process with \(recorder.threads) threads cannot be forked to try again"
      : "not shrunk: it ended \(unit.attempts) processes, and could not be left off before that"
    self.init(
      unit,
      .ended(
        by: death, scenario.reportName(unit.expectation.variant), seed: scenario.search.seed, in: recorder,
        remark: remark))
  }

  /// The result that is known of a search that was ended from outside.
  init(stopped unit: WorkUnit, _ scenario: Scenario, schedules: Int) {
    let name = scenario.reportName(unit.expectation.variant)
    self.init(unit, .stopped(name, seed: scenario.search.seed, schedules: schedules))
  }

  private init(_ unit: WorkUnit, _ report: Report) {
    result = VariantResult(
      variant: unit.expectation.variant, expectation: unit.expectation, report: report, replays: [])
    usage = Usage.Seen()
  }
}
