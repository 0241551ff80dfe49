extension Simulation {
  /// The limits of one execution and what counts as a violation in it.
  public struct Options: Sendable {
    /// The virtual time at which an execution ends. Ten minutes. A body that has not returned by then has not passed:
    /// ``Invariant/BuiltIn/unfinished``.
    public var timeLimit: Duration = .seconds(600)
    /// How many steps may run without virtual time moving; one more is a livelock. 1,000,000. From half of them on, and
    /// from 50,000 on, the natural order is taken, in which every step that can run does: so what never ends does so
    /// without being starved.
    public var stepsAtOneInstant = 1_000_000
    /// Real time to wait for a foreign thread to bring work back before calling it a deadlock. 100 ms.
    public var patience: Duration = .milliseconds(100)
    /// How much later than its deadline a sleep may end. Zero.
    ///
    /// With zero, timers fire in the order of their deadlines, whatever lies between two of them. A real machine wakes a
    /// sleeper a little late, so that sleeps of 10 and of 10.2 ms end in the other order now and then. With more than
    /// zero, every sleep ends between its deadline and so much later, which is decided as for
    /// ``Simulation/sleep(in:)``: each order of two ends that lie closer together costs at most two deviations a sleep.
    public var timerJitter: Duration = .zero
    /// Whether a step is run as a whole, or may be left in its middle. As needed.
    public var steps = Steps.asNeeded
    /// Whether a task that is alive at the end is a violation rather than a warning.
    public var outlivingIsViolation = false
    /// Whether what is observed is read after every step, also where it says that it has not changed: to be compared with
    /// an execution in which it is not.
    package var readsEverything = false
    /// Whether to note what a passing test should say: see ``Explorer/Advice``.
    package var notesAdvice = false

    /// The defaults, except where said otherwise.
    public init(
      timeLimit: Duration = .seconds(600), stepsAtOneInstant: Int = 1_000_000,
      patience: Duration = .milliseconds(100),
      timerJitter: Duration = .zero, steps: Steps = .asNeeded, outlivingIsViolation: Bool = false
    ) {
      self.timeLimit = timeLimit
      self.stepsAtOneInstant = stepsAtOneInstant
      self.patience = patience
      self.timerJitter = timerJitter
      self.steps = steps
      self.outlivingIsViolation = outlivingIsViolation
    }

    /// The same with another limit of virtual time, if there is one.
    package func limited(to timeLimit: Duration?) -> Self {
      var options = self
      if let timeLimit { options.timeLimit = timeLimit }
      return options
    }

    /// What can come between two statements of a step.
    public enum Steps: String, Hashable, Codable, Sendable, CaseIterable {
      /// Nothing: every step runs to its end before the next begins. Complete for state that only actors have.
      case whole
      /// Other steps: after a step has set something free, by making a task, resuming a continuation, cancelling, adding
      /// to a stream or opening a lock, and where it has to wait for a lock.
      case overlapping
      /// Nothing, until an execution shows that two tasks use the same lock, or a `Mutex` each, or with the build flag the
      /// same atomic, or that a step blocks its thread: by a wait or a sleep. From then on the whole search is one of overlapping steps, and what it had covered before is not
      /// claimed. With ``Strategies/ExhaustiveReduced``, which does not see who takes a `Mutex`, only for what it sees.
      case asNeeded = "as-needed"
    }

    /// Ends the program where no execution can keep a limit.
    func refuseMeaningless() {
      refuse(
        if: timeLimit < .zero,
        "no execution ends at \(timeLimit.shortText): set `timeLimit` to zero or more, as .seconds(600)")
      refuse(
        if: stepsAtOneInstant < 1,
        "an execution of \(stepsAtOneInstant) steps runs nothing: set `stepsAtOneInstant` to 1 or more")
      refuse(
        if: timerJitter < .zero,
        "no sleep ends \(timerJitter.shortText) late: set `timerJitter` to zero, which keeps every deadline, or more"
      )
      refuse(
        if: patience < .zero,
        "nobody can wait for \(patience.shortText): set `patience` to zero, which waits for no thread, or more"
      )
    }
  }
}
