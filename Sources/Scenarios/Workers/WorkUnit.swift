import Foundation
import Simulator

/// One variant of one scenario, on its way through the workers.
struct WorkUnit {
  /// The scenario, by its place among those to play.
  let scenario: Int
  let expectation: Expectation
  /// How often a worker has begun it.
  var attempts = 0
  /// Whether executions are run ahead in children.
  var isIsolated = false
  var safeExecutions = 0
  /// What workers have said that they have found, also those that have ended.
  private var said: [Data] = []
  /// The most schedules that one of them had tried.
  var schedules = 0
  /// How workers ended.
  var losses = WorkerLosses()
  /// What the workers have written while they were at it.
  var output = ""
  var outcome: WorkResult? {
    didSet { said = [] }
  }

  init(scenario: Int, expectation: Expectation) {
    self.scenario = scenario
    self.expectation = expectation
  }

  /// What workers have found so far. What has been made smaller replaces what was found first.
  var found: [Invariant.Violation] {
    var found: [Invariant.Violation] = []
    for violation in said.flatMap({ (try? JSONDecoder().decode([Invariant.Violation].self, from: $0)) ?? [] })
    {
      if let index = found.firstIndex(where: { $0.invariant == violation.invariant }) {
        found[index] = violation
      } else {
        found.append(violation)
      }
    }
    return found
  }

  /// Keeps what a worker has said that it has found.
  mutating func keep(_ found: Data) { said.append(found) }

  /// Keeps what `worker` had said and done before it was lost.
  mutating func lost(_ worker: WorkerProcess, by loss: WorkerLosses.Loss) {
    let recorder = worker.recorder
    schedules = max(schedules, recorder.schedules)
    losses.add(loss, at: WorkerLosses.Spot(recorder))
    if recorder.executions > 0 { isIsolated = true }
    safeExecutions = max(0, recorder.executions - (recorder.isExecuting ? 1 : 0))
  }
}
