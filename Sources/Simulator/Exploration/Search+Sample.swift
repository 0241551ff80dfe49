internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategies
internal import SimulatorStrategyInterface

// Random schedules after a reduced search, which claims to have shown every behavior. That claim is valid only if the simulator
// sees everything that steps share. Anything that it does not see shows in a behavior that the search lacks.

extension Search {
  /// Returns the number of random schedules that follow a reduced search of `schedules`.
  private static func sampleSize(after schedules: Int) -> Int { min(max(20, schedules / 10), 1_000) }

  /// Runs random schedules within the budget. Ends at the first one that shows something that the reduced search lacks.
  mutating func sample(besides reduced: BehaviorCounts, after schedules: Int) {
    let violations = report.violations.count
    _ = runner.with(Strategies.RandomSample()) {
      for _ in 0..<Self.sampleSize(after: schedules) where !isDone {
        let isKnown = step().map { $0.violated || reduced.contains($0.behavior) } ?? true
        report.sampled(showsMore: !isKnown || report.violations.count > violations)
        if report.contradictsCoverage { return }
      }
    }
  }
}
