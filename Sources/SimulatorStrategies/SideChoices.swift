public import SimulatorStrategyInterface

extension Strategies {
  /// Decides all choices other than which step runs, for a strategy that ranks steps: delays, faults, timers, actions.
  ///
  /// A strategy asks it first, and decides what it leaves open:
  ///
  /// ```swift
  /// import SimulatorStrategies
  ///
  /// struct LowestTask: Strategies.PartObserver, Strategies.RoundObserver {
  ///   private var side = Strategies.SideChoices()
  ///   private var offers: [Strategies.Candidate] = []
  ///
  ///   var followsCandidates: Bool { true }
  ///   var followsParts: Bool { true }
  ///
  ///   mutating func began(_ number: Int, seed: UInt64) {
  ///     side.began(number, seed: seed)
  ///     offers.removeAll(keepingCapacity: true)
  ///   }
  ///   mutating func offered(_ candidate: Strategies.Candidate) { offers.append(candidate) }
  ///   mutating func withdrew(_ candidate: Strategies.Candidate) { took(candidate) }
  ///   mutating func took(_ candidate: Strategies.Candidate) {
  ///     side.offersChanged()
  ///     offers.removeAll { $0.id == candidate.id }
  ///   }
  ///   mutating func used(_ lock: Int) {}
  ///
  ///   mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
  ///     if let pick = side.pick(point) { return pick }
  ///     guard let lowest = offers.min(by: { $0.task < $1.task }) else { return .option(0) }
  ///     return side.pick(lowest.id, at: point)
  ///   }
  ///
  ///   mutating func ended(_ summary: Strategies.ExecutionSummary) { side.ended() }
  ///   mutating func roundEnded() { side.roundEnded() }
  /// }
  /// ```
  ///
  /// In a third of the executions, all values are random as in a random walk, with each option equally likely, because
  /// this finds a bug sooner that needs several unlikely values. In the others, each kind stays natural throughout with
  /// probability 1/3, because what a bug does not need often hides it (Groce, Zhang, Eide, Chen, Regehr: Swarm Testing,
  /// ISSTA 2012): in two of three of these executions, a coin leaves each kind out or lets it in. A kind that is let in
  /// is natural with probability one half, otherwise uniform among the rest. A timer whose end is a range gets a random
  /// instant to fire at.
  ///
  /// In every execution, the user's actions in a story are random in the same way as in `Strategies.RandomWalk`.
  ///
  /// The strategy decides whether a step is preempted: the rest of the step is a candidate, and the step goes on if the
  /// strategy would run that candidate next. Otherwise the candidate that it would run is kept for the order choice that
  /// follows.
  ///
  /// The place of an *anytime* action is uniform over the first 1, 2, 4, … or all scheduling points of the longest
  /// execution so far, and the place after the last of them; each of those ranges is equally likely. So nothing depends
  /// on how much longer an execution is if the action has to wait for its end.
  public struct SideChoices: Sendable {
    /// The generator, which the strategy uses for its own random numbers as well.
    public var random = Strategies.SplitMix64(state: 0)
    /// The number of scheduling points in the longest execution of earlier rounds; 1 in the first round.
    public private(set) var expected = 1
    /// The number of scheduling points that this execution has had.
    public private(set) var points = 0
    private var longest = 1
    /// The number of scheduling points among which an action is placed.
    private var horizon = 1
    /// The kinds of values that stay natural, one bit each.
    private var natural: UInt64 = 0
    /// True if values are random as in a random walk, with each option equally likely.
    private var isUniform = false

    /// The candidate for which the running step was preempted; `none` if it was not.
    private var decided = Self.none
    private static let none = Strategies.Candidate.ID.max

    private var targets = TimerTargets()

    /// Creates the decisions of a search.
    public init() {}

    /// Begins execution `number` of the search.
    public mutating func began(_ number: Int, seed: UInt64) {
      targets.began()
      random = Strategies.SplitMix64(seed: seed, stream: UInt64(number))
      points = 0
      decided = Self.none
      natural = random.below(3) == 0 ? 0 : random.next()
      // It comes from a stream of its own, so that programs without values do not depend on it.
      var coin = Strategies.SplitMix64(seed: ~seed, stream: UInt64(number))
      isUniform = coin.below(3) == 0
      if isUniform { natural = 0 }
      let doublings = Int.bitWidth - (expected - 1).leadingZeroBitCount
      horizon = min(expected, 1 << random.below(doublings + 1))
    }

    /// Returns the decision at `point`; nil if the strategy has to choose a candidate.
    @inline(__always)
    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick? {
      guard point.kind == .order else {
        if point.kind == .preemption {
          points += 1
          return point.running == nil ? .option(0) : nil
        }
        if let timers = point.timers {
          let isNatural = natural >> UInt64(point.kind.rawValue) & 1 == 1
          return .option(targets.pick(timers, &random, isNatural: isNatural))
        }
        if let pick = point.drawn(by: &random) { return pick }
        if natural >> UInt64(point.kind.rawValue) & 1 == 1 { return .option(0) }
        if isUniform { return .option(random.below(point.options)) }
        return .option(random.next() & 1 == 0 ? 0 : 1 + random.below(point.options - 1))
      }
      if decided != Self.none { return .candidate(decided) }
      points += 1
      guard point.anytime > 0 || point.atTimer else { return nil }
      return pickAction(point)
    }

    /// Decides whether an action happens here. Each way to distribute `anytime` actions over the remaining places is
    /// equally likely.
    private mutating func pickAction(_ point: Strategies.ChoicePoint) -> Strategies.Pick? {
      let left = max(0, horizon - points + 1)
      if left > 0, random.below(left + point.anytime) < point.anytime {
        return .option(point.options - 1 - random.below(point.anytime))
      }
      return point.atTimer || point.anytime == point.options ? .option(0) : nil
    }

    /// Returns the decision at `point` for a strategy that chooses the candidate `best`.
    @inline(__always)
    public mutating func pick(
      _ best: Strategies.Candidate.ID, at point: Strategies.ChoicePoint
    ) -> Strategies.Pick {
      guard let running = point.running else { return .candidate(best) }
      if best == running { return .option(0) }
      decided = best
      return .option(1)
    }

    /// Notes that a candidate was taken or withdrawn.
    @inline(__always)
    public mutating func offersChanged() { decided = Self.none }

    /// Ends the execution.
    public mutating func ended() { longest = max(longest, points) }

    /// Makes what the executions of this round taught known to the next round.
    public mutating func roundEnded() { expected = longest }
  }
}
