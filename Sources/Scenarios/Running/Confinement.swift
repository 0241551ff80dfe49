import Simulator

/// How a process is protected from the code that it plays, and where it records its progress.
struct Confinement {
  var isolation = Explorer.Isolation.crashReport
  var limits = Explorer.ProcessLimits()
  /// Where progress is recorded for the parent process.
  var recorder: FlightRecorder?
  /// How many executions that the recorder counts are known not to end the process.
  var safeExecutions = 0
  /// How many processes may run one long search.
  var jobs = 1
  /// Told all that has been found so far, each time that it is more or smaller.
  var found: (@Sendable ([Invariant.Violation]) -> Void)?

  /// For a few executions in the tool's own process.
  static var forReplays: Confinement {
    Confinement(isolation: .forks, limits: .usual)
  }

  func confine(_ explorer: inout Explorer) {
    explorer.isolation = isolation
    explorer.processLimits = limits
    explorer.recorder = recorder
    explorer.safeExecutions = safeExecutions
    explorer.jobs = jobs
    explorer.found = found
  }
}
