public import SimulatorCore
internal import SimulatorStrategies
internal import SimulatorStrategyInterface

extension Explorer {
  /// The conditions under which an exploration stops.
  public struct Budget: Sendable {
    /// The largest number of schedules to try; at least 1.
    public var schedules = 1_000
    /// The invariants that must have been violated before the exploration may stop early. If empty, it stops at the
    /// first execution that violates anything; if nil, it never stops early.
    public var violationsToFind: Set<String>? = []
    /// The number of executions of 250 steps, beside ``schedules``, that may be spent on shrinking the schedule of one
    /// violation. Of shorter executions, more may run, up to the same number of steps; of longer ones, as many may run
    /// all the same. 0 leaves the schedule as it was found.
    public var shrinkingExecutions = 2_000

    /// The time that may be spent on shrinking the schedule of one violation; nil for as long as ``shrinkingExecutions`` takes. It is
    /// over when so much real time has passed and the process has had a processor for that long, so a busy machine does not
    /// end it. If it ends shrinking, the report says so, and the schedule may differ on another machine.
    public var shrinkingTime: Duration? = .seconds(20)

    /// If set, every schedule with at most this many deviations from the natural order is tried before the strategy
    /// spends what is left of ``schedules``.
    public var exhaustiveDeviationBound: Int?

    /// If set, every story within this bound is tried before the strategy spends what is left of ``schedules``.
    public var exhaustiveStoryBound: Strategies.StoryBound?

    /// If set, no schedule but the first begins after this much real time, and what was found is shrunk only as far as
    /// that time allows. A step that hangs ends then too, if executions run in other processes.
    public var time: Duration?

    /// Creates a budget of a thousand schedules, or until the first violation.
    public init() {}

    func refuseMeaningless() {
      refuse(
        if: schedules < 1,
        "a search of \(schedules) schedules tries nothing and proves nothing; set `schedules` to 1 at least")
      refuse(
        if: shrinkingExecutions < 0,
        "`shrinkingExecutions` is \(shrinkingExecutions); set it to 0 to leave a schedule as it was found")
      if let shrinkingTime {
        refuse(
          if: shrinkingTime <= .zero,
          "`shrinkingTime` is \(shrinkingTime.shortText); set `shrinkingExecutions` to 0 to leave a schedule as it was found"
        )
      }
      if let time {
        refuse(if: time <= .zero, "a search of \(time.shortText) tries nothing; set `time` to some real time")
      }
      if let exhaustiveDeviationBound { Strategies.DelayBounded.refuseMeaningless(exhaustiveDeviationBound) }
    }
  }
}
