package import SimulatorCore
internal import SimulatorStrategyInterface

// Executions under a known schedule, or in search of one.

extension Runner {
  /// Lets `schedule` decide in the executions that `body` runs, with overlapping steps if the schedule has them.
  package func replaying<Result>(_ schedule: Schedule, _ body: () -> Result) -> Result {
    at(schedule) { with(Strategies.Replay(schedule), body).result }
  }

  /// Preempts steps in the executions that `body` runs where `schedule` does.
  package func at<Result>(_ schedule: Schedule, _ body: () -> Result) -> Result {
    let before = (overlaps, accessPoints)
    (overlaps, accessPoints) = (schedule.hasPreemptibleSteps, schedule.accessPoints)
    defer { (overlaps, accessPoints) = before }
    return body()
  }

  /// Preempts a step before the first access of `race` in the execution that `body` runs, and runs all other steps
  /// while it is parked. Until then that execution repeats `choices`.
  package func beside<Result>(
    _ race: SuspectedRace, after choices: [Schedule.Choice], seed: UInt64, _ body: () -> Result
  ) -> Result {
    let access = SoughtAccess(number: race.number)
    sought = access
    defer { sought = nil }
    return with(Strategies.BesideParked(access, after: choices, seed: seed), body).result
  }
}
