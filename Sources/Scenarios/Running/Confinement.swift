import Simulator

/// How a process is protected from the code that it plays, and where it records its progress.
struct Confinement {
  var isolation = Isolation.crashReport
  var limits = ProcessLimits()
  /// Where progress is recorded for the parent process.
  var recorder: FlightRecorder?
  /// How many executions that the recorder counts are known not to end the process.
  var safeExecutions = 0

  /// For a few executions in the tool's own process.
  static var forReplays: Confinement {
    Confinement(isolation: .forks, limits: WorkLimits.usual.processLimits)
  }

  func confine(_ explorer: inout Explorer) {
    explorer.isolation = isolation
    explorer.processLimits = limits
    explorer.recorder = recorder
    explorer.safeExecutions = safeExecutions
  }
}
