extension Strategies {
  /// Takes the choices of a recorded schedule, and the natural option everywhere else.
  ///
  /// Whether the execution really met the recorded choices is for ``Explorer/Divergence`` to say; a choice whose options
  /// no longer reach what was recorded takes the natural one.
  public struct Replay: SchedulingStrategy {
    private let deviations: [Schedule.Deviation]
    private var next = 0

    /// A replay of `schedule`.
    public init(_ schedule: Schedule) {
      deviations = schedule.deviations
    }

    public mutating func began(_ number: Int, seed: UInt64) {
      next = 0
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      .option(option(at: point))
    }

    /// The option that was recorded, if the choice has it, else the natural one.
    mutating func option(at point: Strategies.ChoicePoint) -> Int {
      guard next < deviations.count, deviations[next].position == point.position else { return 0 }
      let taken = deviations[next].taken
      next += 1
      return taken < point.options ? taken : 0
    }

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {}
  }
}
