// Random schedules behind a reduced search, which claims to have shown every behaviour. That rests on the simulator seeing
// all that steps share; what it does not see shows in a behaviour that the search lacks.

extension Search {
  /// How many random schedules follow a reduced search of so many.
  private static func sampleSize(after schedules: Int) -> Int { min(max(20, schedules / 10), 1_000) }

  /// Runs random schedules within the budget; ends at the first that shows what the reduced search lacks.
  mutating func sample(besides reduced: BehaviourCounts, after schedules: Int) {
    let violations = report.violations.count
    _ = runner.with(Strategies.RandomSample()) {
      for _ in 0..<Self.sampleSize(after: schedules) where !isDone {
        let isKnown = step().map { $0.violated || reduced.contains($0.behaviour) } ?? true
        report.sampled(showsMore: !isKnown || report.violations.count > violations)
        if report.contradiction { return }
      }
    }
  }
}
