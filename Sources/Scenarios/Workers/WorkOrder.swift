import Foundation
import ScenarioFiles
import Simulator

/// An order to a worker: play one variant of one scenario.
struct WorkOrder: Codable, Sendable {
  let scenario: Scenario
  let variant: String
  /// Whether executions are run ahead in children, because one of them has ended a worker.
  let isIsolated: Bool
  /// How many executions are known not to.
  let safeExecutions: Int
  let limits: Explorer.ProcessLimits
  /// How many processes may run the search.
  let jobs: Int
  /// The part of the search; nil for the whole.
  var shard: ShardNumber?
}

/// What a worker says while it performs an order.
enum WorkerMessage {
  /// What it has found since it said so last, or has made smaller: JSON of a list. That is known whatever becomes of the
  /// worker. It is read only then, for the result says it again.
  case found(Data)
  /// The order is performed.
  case done(WorkResult)

  /// Reads a message: a list, or the object that is a result.
  init(_ body: Data) throws {
    if body.first == UInt8(ascii: "[") {
      self = .found(body)
    } else {
      self = .done(try JSONDecoder().decode(WorkResult.self, from: body))
    }
  }
}

/// The result of an order.
struct WorkResult: Codable, Sendable {
  let result: VariantResult
  let usage: Usage.Seen
}

extension WorkResult {
  /// The result that is known when two workers have ended in the same way at the same step of the same schedule.
  init(ended unit: WorkUnit, by death: Death, _ scenario: Scenario, _ recorder: FlightRecorder) {
    self.init(
      unit,
      .ended(
        by: death, scenario.reportName(unit.expectation.variant), seed: scenario.search.seed, in: recorder,
        remark: "not shrunk: a process with \(recorder.threads) threads cannot be forked to try again",
        found: unit.found))
  }

  /// The result that is known when workers end again and again and no schedule shows why.
  init(notJudged unit: WorkUnit, _ scenario: Scenario) {
    self.init(
      unit,
      .notJudged(
        scenario.reportName(unit.expectation.variant), seed: scenario.search.seed, schedules: unit.schedules,
        found: unit.found, reason: unit.losses.sentence))
  }

  /// The result that is known of a search that was ended from outside.
  init(stopped unit: WorkUnit, _ scenario: Scenario) {
    let name = scenario.reportName(unit.expectation.variant)
    self.init(
      unit, .stopped(name, seed: scenario.search.seed, schedules: unit.schedules, found: unit.found))
  }

  private init(_ unit: WorkUnit, _ report: Explorer.Report) {
    result = VariantResult(
      variant: unit.expectation.variant, expectation: unit.expectation, report: report, replays: [])
    usage = Usage.Seen()
  }
}
