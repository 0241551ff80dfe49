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
  /// What workers have found so far, also those that have ended.
  var found: [Invariant.Violation] = []
  /// The most schedules that one of them had tried.
  var schedules = 0
  /// How workers ended.
  var losses = WorkerLosses()
  /// What the workers have written while they were at it.
  var output = ""
  var outcome: WorkResult?

  /// Keeps what a worker has found. What has been made smaller replaces what was found first.
  mutating func keep(_ message: WorkerMessage) {
    guard case .found(let violations) = message else { return }
    for violation in violations {
      if let index = found.firstIndex(where: { $0.invariant == violation.invariant }) {
        found[index] = violation
      } else {
        found.append(violation)
      }
    }
  }

  /// Keeps what `worker` had said and done before it was lost.
  mutating func lost(_ worker: WorkerProcess, by loss: WorkerLosses.Loss) {
    let recorder = worker.recorder
    schedules = max(schedules, recorder.schedules)
    losses.add(loss, at: WorkerLosses.Spot(recorder))
    if recorder.executions > 0 { isIsolated = true }
    safeExecutions = max(0, recorder.executions - (recorder.isExecuting ? 1 : 0))
  }
}
