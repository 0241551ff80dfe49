// What a passing test should say.

extension Search {
  /// Adds what the last execution noted.
  mutating func note(_ notes: AdviceNotes) {
    guard !notes.isEmpty else { return }
    let runner = runner
    report.advice.add(notes, under: runner.schedule)
  }

  /// Names the tasks that went on after the body, if nothing else is wrong: the schedule is replayed for its events.
  mutating func describeTasksAfterBody() {
    guard report.holds, !runner.isToStop, let schedule = report.advice.scheduleAfterBody else { return }
    let again = runner.replaying(schedule) {
      runner.execute(number, seed: explorer.seed, keepingEvents: true)
    }
    report.advice.add(again.advice, under: schedule)
  }
}
