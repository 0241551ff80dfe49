internal import SimulatorKernel

// The advice about a search that violates nothing.

extension Search {
  /// Adds the notes of the last execution.
  mutating func note(_ notes: AdviceNotes) {
    guard !notes.isEmpty else { return }
    let runner = runner
    report.advice.add(notes, under: runner.schedule)
  }

  /// Names the tasks that went on after the body, if nothing else is wrong. Replays the schedule for its events.
  mutating func describeTasksAfterBody() {
    guard report.holds, !runner.isToStop, let schedule = report.advice.scheduleAfterBody else { return }
    let again = runner.replaying(schedule) {
      runner.execute(number, seed: explorer.seed, keepingEvents: true)
    }
    report.advice.add(again.advice, under: schedule)
  }
}
