package import SimulatorCore

extension Strategies {
  /// Repeats the choices of a recorded schedule, and takes the natural option everywhere else.
  ///
  /// `Explorer.Divergence` reports when the execution did not meet the recorded choices. A choice that no longer has
  /// the recorded option takes the natural one.
  package struct Replay: SchedulingStrategy {
    private let deviations: [Schedule.Deviation]
    private var next = 0

    /// Creates a replay of `schedule`.
    package init(_ schedule: Schedule) {
      deviations = schedule.deviations
    }

    package mutating func began(_ number: Int, seed: UInt64) {
      next = 0
    }

    package mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      .option(option(at: point))
    }

    /// Returns the recorded option if the choice has it, otherwise the natural one.
    package mutating func option(at point: Strategies.ChoicePoint) -> Int {
      guard next < deviations.count, deviations[next].position == point.position else { return 0 }
      let taken = deviations[next].taken
      next += 1
      return taken < point.options ? taken : 0
    }

    package mutating func ended(_ summary: Strategies.ExecutionSummary) {}
  }
}
