/// What a strategy that rules order choices does about all others: any other choice is natural with probability
/// one half, else uniform among the rest; an *anytime* action's place is uniform over the scheduling points of
/// the longest execution so far, and the place after the last of them.
struct SideChoices {
  /// What the strategy draws its own luck from as well.
  var random = SplitMix64(state: 0)
  /// How many scheduling points an execution is expected to have.
  private(set) var expected = 1
  /// How many this one has had.
  private(set) var points = 0
  private var longest = 1

  mutating func began(_ number: Int, seed: UInt64) {
    random = SplitMix64(seed: seed, stream: UInt64(number))
    points = 0
  }

  /// Decides what is not for the strategy: nil if it is the strategy's turn.
  @inline(__always)
  mutating func pick(_ point: ChoicePoint) -> Pick? {
    guard point.kind == .order else {
      return .option(random.next() & 1 == 0 ? 0 : 1 + random.below(point.options - 1))
    }
    points += 1
    guard point.anytime > 0 || point.atTimer else { return nil }
    return pickAction(point)
  }

  /// Of `anytime` actions and the places that are left, each way to lay them out is equally likely.
  private mutating func pickAction(_ point: ChoicePoint) -> Pick? {
    let left = max(0, expected - points + 1)
    if left > 0, random.below(left + point.anytime) < point.anytime {
      return .option(point.options - 1 - random.below(point.anytime))
    }
    return point.atTimer || point.anytime == point.options ? .option(0) : nil
  }

  mutating func ended() { longest = max(longest, points) }

  mutating func roundEnded() { expected = longest }
}
