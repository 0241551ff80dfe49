extension Strategies {
  /// Every option of every choice equally likely; a timer whose end is a range fires at an instant drawn from it.
  public struct RandomWalk: Strategies.IndependentSampling, Strategies.Divisible {
    private var random = Strategies.SplitMix64(state: 0)
    private var targets = TimerTargets()

    /// A random walk; each execution is a function of the exploration's seed and the execution's number.
    public init() {}

    public var isIndependent: Bool { true }

    public mutating func began(_ number: Int, seed: UInt64) {
      random = Strategies.SplitMix64(seed: seed, stream: UInt64(number))
      targets.began()
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if let timers = point.timers { return .option(targets.pick(timers, &random)) }
      return .option(random.below(point.options))
    }

    public mutating func divide(_ part: Int, of parts: Int) {}

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {}
  }
}

extension SchedulingStrategy where Self == Strategies.RandomWalk {
  /// Every option equally likely: ``Strategies/RandomWalk``.
  public static var randomWalk: Strategies.RandomWalk { Strategies.RandomWalk() }
}
