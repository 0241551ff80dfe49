/// Every option of every choice equally likely.
public struct RandomWalk: IndependentSampling {
  private var random = SplitMix64(state: 0)

  /// A random walk; each execution is a function of the exploration's seed and the execution's number.
  public init() {}

  public var isIndependent: Bool { true }

  public mutating func began(_ number: Int, seed: UInt64) {
    random = SplitMix64(seed: seed, stream: UInt64(number))
  }

  public mutating func pick(_ point: ChoicePoint) -> Pick {
    .option(random.below(point.options))
  }

  public mutating func ended(_ summary: ExecutionSummary) {}
}

extension Strategy where Self == RandomWalk {
  /// Every option equally likely: ``RandomWalk``.
  public static var randomWalk: RandomWalk { RandomWalk() }
}
