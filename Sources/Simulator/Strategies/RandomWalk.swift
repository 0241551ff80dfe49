extension Strategies {
  /// Every option of every choice equally likely; a timer whose end is a range fires at an instant drawn from it. In a story
  /// that is made up the user does nothing at every other of the places where something may be done.
  public struct RandomWalk: Strategies.IndependentSampling, Strategies.Divisible, Strategies.Foreseeing {
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
      if point.isOfStory { return point.drawn(by: &random) }
      if let timers = point.timers { return .option(targets.pick(timers, &random)) }
      return .option(random.below(point.options))
    }

    func likelyNext(options: Int) -> Strategies.Pick? {
      var ahead = random
      return .option(ahead.below(options))
    }

    public mutating func divide(_ part: Int, of parts: Int) {}

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {}
  }
}

extension SchedulingStrategy where Self == Strategies.RandomWalk {
  /// Every option equally likely: ``Strategies/RandomWalk``.
  public static var randomWalk: Strategies.RandomWalk { Strategies.RandomWalk() }
}

extension Strategies.ChoicePoint {
  /// Whether it decides what the user does in a story that is made up, or under which settings.
  var isOfStory: Bool { kind == .action || kind == .setting }

  /// Of a story: nothing with probability one half, else each other option equally likely. Settings: each equally likely.
  func drawn(by random: inout Strategies.SplitMix64) -> Strategies.Pick {
    if kind == .setting { return .option(random.below(options)) }
    return .option(random.next() & 1 == 0 ? 0 : 1 + random.below(options - 1))
  }
}
