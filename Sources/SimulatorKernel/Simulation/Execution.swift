public import SimulatorCore

extension Simulation {
  /// One run of a program under one schedule.
  public struct Execution: Codable, Sendable {
    /// The way an execution ended.
    public typealias Ending = ExecutionEnding

    /// The decisions that were not natural.
    public let schedule: Schedule
    /// Every decision. If there are more than four million, those up to the last that was not natural.
    public let choices: [Schedule.Choice]
    /// The way it ended.
    public let ending: Ending
    /// The violations, one per invariant, in the order in which they were noticed.
    public let violations: [Invariant.Violation]
    /// Findings that are not violations but worth knowing.
    public let warnings: [String]
    /// The events of the execution. Only its digest is filled in unless events were kept.
    public let trace: Trace
    /// The number of steps.
    public let steps: Int
    /// The virtual time at the end.
    public let endTime: VirtualInstant
    /// The invariants that had nothing to judge.
    public let vacuousInvariants: [String]

    package init(
      schedule: Schedule, choices: [Schedule.Choice], ending: Ending, violations: [Invariant.Violation],
      warnings: [String], trace: Trace, steps: Int, endTime: VirtualInstant, vacuousInvariants: [String]
    ) {
      (self.schedule, self.choices, self.ending, self.violations) = (schedule, choices, ending, violations)
      (self.warnings, self.trace, self.steps, self.endTime) = (warnings, trace, steps, endTime)
      self.vacuousInvariants = vacuousInvariants
    }

    /// The token that replays it.
    public var token: Schedule.Token { Schedule.Token(schedule: schedule, digest: trace.shortDigest) }
  }
}
