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
  /// Where a worker ended last.
  var lastDeath: Spot?
  /// What the workers have written while they were at it.
  var output = ""
  var outcome: WorkResult?

  /// A place in the search.
  struct Spot: Equatable {
    let executions: Int
    let steps: Int
    let choices: [Schedule.Choice]?

    init(_ recorder: FlightRecorder) {
      executions = recorder.executions
      steps = recorder.steps
      choices = recorder.choices
    }
  }

  /// The most workers that one unit may end.
  static let mostAttempts = 4
}
