// Executions under a schedule that is known, or in search of one.

extension Runner {
  /// Lets `schedule` decide in the executions that `body` runs, with steps that overlap if its do.
  func replaying<Result>(_ schedule: Schedule, _ body: () -> Result) -> Result {
    let before = (overlaps, accessPoints)
    (overlaps, accessPoints) = (schedule.overlaps, schedule.accessPoints)
    defer { (overlaps, accessPoints) = before }
    return with(Strategies.Replay(schedule), body).result
  }

  /// Leaves a step before the first access of `race` in the execution that `body` runs, which does until then what took
  /// `choices`, and runs all others beside it.
  func beside<Result>(
    _ race: SuspectedRace, after choices: [Schedule.Choice], seed: UInt64, _ body: () -> Result
  ) -> Result {
    let access = SoughtAccess(number: race.number)
    sought = access
    defer { sought = nil }
    return with(Strategies.BesideParked(access, after: choices, seed: seed), body).result
  }
}
