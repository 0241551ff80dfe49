public import SimulatorStrategyInterface

extension Strategies {
  /// Makes every option of every choice equally likely. A timer whose end is a range fires at a random instant of that
  /// range. In a generated story, the user does nothing at half of the points where an action is possible.
  public struct RandomWalk: Strategies.IndependentSampling, Strategies.Divisible, Strategies.Foreseeing {
    private var random = Strategies.SplitMix64(state: 0)
    private var targets = TimerTargets()

    /// Creates a random walk. Each execution is a function of the exploration's seed and the execution's number.
    public init() {}

    public var isIndependent: Bool { true }

    public mutating func began(_ number: Int, seed: UInt64) {
      random = Strategies.SplitMix64(seed: seed, stream: UInt64(number))
      targets.began()
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if let pick = point.drawn(by: &random) { return pick }
      if let timers = point.timers { return .option(targets.pick(timers, &random)) }
      return .option(random.below(point.options))
    }

    package func likelyNext(options: Int) -> Strategies.Pick? {
      var ahead = random
      return .option(ahead.below(options))
    }

    public mutating func divide(_ part: Int, of parts: Int) {}

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {}
  }
}

extension Strategies.ChoicePoint {
  /// True if the point decides what the user does in a generated story, or the settings of the story.
  var isOfStory: Bool { kind == .action || kind == .setting }

  /// Returns a random pick for a choice with its own distribution; nil for all others. Each setting of a story is equally
  /// likely. For an action of a story, option 0, which does nothing, has probability one half, and the other options are
  /// equally likely. The program gets unusual random numbers in one execution of four.
  func drawn(by random: inout Strategies.SplitMix64) -> Strategies.Pick? {
    switch kind {
    case .setting: .option(random.below(options))
    case .action: .option(random.next() & 1 == 0 ? 0 : 1 + random.below(options - 1))
    case .draw: .option(random.next() & 3 > 0 ? 0 : 1 + random.below(options - 1))
    default: nil
    }
  }
}
