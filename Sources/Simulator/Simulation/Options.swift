extension Simulation {
  /// The limits of one execution and what counts as a violation in it.
  public struct Options: Sendable {
    /// The virtual time at which an execution is ended. 60 s.
    public var timeLimit: Duration = .seconds(60)
    /// How many steps may run without virtual time moving; one more is a livelock. 1,000,000. From half of them on, and
    /// from 50,000 on, the natural order is taken, in which every step that can run does: so what never ends does so
    /// without being starved.
    public var stepsAtOneInstant = 1_000_000
    /// Real time to wait for a foreign thread to bring work back before calling it a deadlock. 100 ms.
    public var patience: Duration = .milliseconds(100)
    /// Whether a task that is alive at the end is a violation rather than a warning.
    public var outlivingIsViolation = false

    /// The defaults, except where said otherwise.
    public init(
      timeLimit: Duration = .seconds(60), stepsAtOneInstant: Int = 1_000_000,
      patience: Duration = .milliseconds(100),
      outlivingIsViolation: Bool = false
    ) {
      self.timeLimit = timeLimit
      self.stepsAtOneInstant = stepsAtOneInstant
      self.patience = patience
      self.outlivingIsViolation = outlivingIsViolation
    }

    /// Ends the program where no execution can keep a limit.
    func refuseMeaningless() {
      refuse(
        if: timeLimit < .zero,
        "no execution ends at \(timeLimit.shortText): set `timeLimit` to zero or more, as .seconds(60)")
      refuse(
        if: stepsAtOneInstant < 1,
        "an execution of \(stepsAtOneInstant) steps runs nothing: set `stepsAtOneInstant` to 1 or more")
      refuse(
        if: patience < .zero,
        "nobody can wait for \(patience.shortText): set `patience` to zero, which waits for no thread, or more"
      )
    }
  }
}
