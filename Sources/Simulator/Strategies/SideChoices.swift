/// What a strategy that rules order choices does about all others.
///
/// In a third of the executions all values are drawn as a random walk draws them, each option equally likely: a bug that needs
/// several unlikely ones is found sooner so. In the others each kind stays natural throughout with probability 1/3, because
/// what a bug does not need often hides it (Groce, Zhang, Eide, Chen, Regehr: Swarm Testing, ISSTA 2012): in two of
/// three of these a coin leaves each kind out or lets it in. What is let in is natural with probability one
/// half, else uniform among the rest. When a timer fires whose end is a range says ``TimerTargets``.
///
/// What the user does in a story is drawn in every execution as ``Strategies/RandomWalk`` draws it.
///
/// Whether a step is left in its middle is the strategy's: what remains of the step is a candidate, and the step goes on if
/// the strategy would run that one next. Else the candidate that it would run is kept for the order choice that follows.
///
/// An *anytime* action's place is uniform over the first 1, 2, 4, … or all scheduling points of the longest
/// execution so far, and the place after the last of them; each of those ranges is equally likely. So nothing
/// depends on how much longer an execution is in which the action has to wait for its end.
struct SideChoices {
  /// What the strategy draws its own luck from as well.
  var random = Strategies.SplitMix64(state: 0)
  /// How many scheduling points an execution is expected to have.
  private(set) var expected = 1
  /// How many this one has had.
  private(set) var points = 0
  private var longest = 1
  /// Among how many scheduling points an action is placed.
  private var horizon = 1
  /// The kinds of values that stay natural, a bit each.
  private var natural: UInt64 = 0
  /// Whether values are drawn as a random walk draws them: each option equally likely.
  private var isUniform = false

  /// The candidate for which the running step has been left; `nobody` for none.
  private var decided = Self.nobody
  private static let nobody = Strategies.Candidate.ID.max

  private var targets = TimerTargets()

  mutating func began(_ number: Int, seed: UInt64) {
    targets.began()
    random = Strategies.SplitMix64(seed: seed, stream: UInt64(number))
    points = 0
    decided = Self.nobody
    natural = random.below(3) == 0 ? 0 : random.next()
    // From a stream of its own: what programs without values meet does not hang on it.
    var coin = Strategies.SplitMix64(seed: ~seed, stream: UInt64(number))
    isUniform = coin.below(3) == 0
    if isUniform { natural = 0 }
    let doublings = Int.bitWidth - (expected - 1).leadingZeroBitCount
    horizon = min(expected, 1 << random.below(doublings + 1))
  }

  /// Decides what is not for the strategy: nil if it is the strategy's turn.
  @inline(__always)
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick? {
    guard point.kind == .order else {
      if point.kind == .preemption {
        points += 1
        return point.running == nil ? .option(0) : nil
      }
      if let timers = point.timers {
        let isNatural = natural >> UInt64(point.kind.rawValue) & 1 == 1
        return .option(targets.pick(timers, &random, isNatural: isNatural))
      }
      if point.isOfStory { return point.drawn(by: &random) }
      if natural >> UInt64(point.kind.rawValue) & 1 == 1 { return .option(0) }
      if isUniform { return .option(random.below(point.options)) }
      return .option(random.next() & 1 == 0 ? 0 : 1 + random.below(point.options - 1))
    }
    if decided != Self.nobody { return .candidate(decided) }
    points += 1
    guard point.anytime > 0 || point.atTimer else { return nil }
    return pickAction(point)
  }

  /// Of `anytime` actions and the places that are left, each way to lay them out is equally likely.
  private mutating func pickAction(_ point: Strategies.ChoicePoint) -> Strategies.Pick? {
    let left = max(0, horizon - points + 1)
    if left > 0, random.below(left + point.anytime) < point.anytime {
      return .option(point.options - 1 - random.below(point.anytime))
    }
    return point.atTimer || point.anytime == point.options ? .option(0) : nil
  }

  /// The strategy would run `best`.
  @inline(__always)
  mutating func answer(_ point: Strategies.ChoicePoint, _ best: Strategies.Candidate.ID) -> Strategies.Pick {
    guard let running = point.running else { return .candidate(best) }
    if best == running { return .option(0) }
    decided = best
    return .option(1)
  }

  /// Something has been taken, or a candidate is on offer no more.
  @inline(__always)
  mutating func forgetDecision() { decided = Self.nobody }

  mutating func ended() { longest = max(longest, points) }

  mutating func roundEnded() { expected = longest }
}
