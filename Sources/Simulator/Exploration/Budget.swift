extension Explorer {
  /// When an exploration stops.
  public struct Budget: Sendable {
    /// The number of schedules to try at most; at least 1.
    public var schedules = 1_000
    /// The invariants that must have been violated before the exploration may stop early. Empty: it stops at
    /// the first execution that violates anything; nil: it never stops early.
    public var stopsAfter: Set<String>? = []
    /// How many executions of 250 steps, beside ``schedules``, may be spent on making the schedule of one violation smaller:
    /// of shorter ones as many more as come to the same number of steps, of longer ones as many all the same. 0 leaves it as
    /// it was found.
    public var shrinking = 2_000

    /// How much time may be spent on making the schedule of one violation smaller; nil for as much as ``shrinking`` takes.
    /// It is over when so much real time has passed and the process had a processor for so long: a busy machine does not
    /// end it. Where it ends shrinking, which the report says, the schedule may be another one on another machine.
    public var shrinkingTime: Duration? = .seconds(20)

    /// When set, every schedule with at most so many deviations from the natural order is tried before the
    /// strategy spends what is left of ``schedules``.
    public var exhaustsDeviations: Int?

    /// When set, every story within this bound is tried before the strategy spends what is left of ``schedules``.
    public var exhaustsStories: Strategies.StoryBound?

    /// When set, no schedule begins when so much real time has passed, save the first, and what has been found is made
    /// smaller only as far as that time goes. A step that hangs ends with it where executions run in other processes.
    public var time: Duration?

    /// A thousand schedules, or until the first violation.
    public init() {}

    func refuseMeaningless() {
      refuse(
        if: schedules < 1,
        "a search of \(schedules) schedules tries nothing and proves nothing; set `schedules` to 1 at least")
      refuse(
        if: shrinking < 0, "`shrinking` is \(shrinking); set it to 0 to leave a schedule as it was found")
      if let shrinkingTime {
        refuse(
          if: shrinkingTime <= .zero,
          "`shrinkingTime` is \(shrinkingTime.shortText); set `shrinking` to 0 to leave a schedule as it was found"
        )
      }
      if let time {
        refuse(if: time <= .zero, "a search of \(time.shortText) tries nothing; set `time` to some real time")
      }
      if let exhaustsDeviations { Strategies.DelayBounded.refuseMeaningless(exhaustsDeviations) }
    }
  }
}
