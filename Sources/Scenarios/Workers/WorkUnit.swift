import Foundation
import ScenarioFiles
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
  /// What workers have found so far, also those that have ended, as far as it has been read.
  private(set) var found: [Invariant.Violation] = []
  /// What they have said that they have found since.
  private var unread: [Data] = []
  /// The most schedules that one of them had tried.
  var schedules = 0
  /// How workers ended.
  var losses = WorkerLosses()
  /// What processes of this program have taken of the machine.
  var costs = FlightRecorder.Costs()
  /// What the workers have written while they were at it.
  var output = ""
  var outcome: WorkResult? {
    didSet { unread = [] }
  }

  init(scenario: Int, expectation: Expectation) {
    self.scenario = scenario
    self.expectation = expectation
  }

  /// Keeps what a worker has said that it has found: JSON of a list.
  mutating func keep(_ said: Data) { unread.append(said) }

  /// Reads what has been kept. What has been made smaller replaces what was found first. Throws where something of it is no
  /// list of violations; the rest is read.
  mutating func read() throws(WorkerLost) {
    var isGarbled = false
    for said in unread {
      guard let violations = try? JSONDecoder().decode([Invariant.Violation].self, from: said) else {
        isGarbled = true
        continue
      }
      for violation in violations {
        if let index = found.firstIndex(where: { $0.invariant == violation.invariant }) {
          found[index] = violation
        } else {
          found.append(violation)
        }
      }
    }
    unread = []
    if isGarbled { throw .garbled }
  }

  /// Keeps what `worker` had said and done before it was lost. Answers how it was: what it has said may be garbled.
  mutating func lost(_ worker: WorkerProcess, by loss: WorkerLosses.Loss) -> WorkerLosses.Loss {
    let recorder = worker.recorder
    schedules = max(schedules, recorder.schedules)
    var loss = loss
    do throws(WorkerLost) { try read() } catch { loss = .garbled }
    losses.add(loss, at: WorkerLosses.Spot(recorder))
    if recorder.executions > 0 { isIsolated = true }
    costs = recorder.costs
    if case .ended(.stalled) = loss { costs.wasPatient = true }
    if case .ended(.tooLarge) = loss { costs.wasFilled = true }
    safeExecutions = max(0, recorder.executions - (recorder.isExecuting ? 1 : 0))
    return loss
  }
}
