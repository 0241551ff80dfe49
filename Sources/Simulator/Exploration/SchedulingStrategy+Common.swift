public import SimulatorStrategies
public import SimulatorStrategyInterface

// The strategies for most searches. Module `SimulatorStrategies` has the others, and what a strategy of your own needs.

extension SchedulingStrategy where Self == Strategies.Portfolio {
  /// Runs several strategies in turn, because no single one finds everything.
  public static var portfolio: Strategies.Portfolio { Strategies.Portfolio() }
}

extension SchedulingStrategy where Self == Strategies.RandomWalk {
  /// Makes every option of every choice equally likely.
  public static var randomWalk: Strategies.RandomWalk { Strategies.RandomWalk() }
}

extension SchedulingStrategy where Self == Strategies.PCT {
  /// Gives each task a random priority, and changes priorities at `depth` − 1 random moments (Burckhardt et al., A Randomized
  /// Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010).
  public static func pct(depth: Int = 3) -> Strategies.PCT { Strategies.PCT(depth: depth) }
}

extension SchedulingStrategy where Self == Strategies.SURW {
  /// Makes interleavings equally likely, one actor or lock at a time (Zhao et al., Selectively Uniform Concurrency Testing,
  /// ASPLOS 2025).
  public static var surw: Strategies.SURW { Strategies.SURW() }
}

extension SchedulingStrategy where Self == Strategies.ExhaustiveReduced {
  /// Tries one schedule of each behavior, and ends when it has tried them all.
  public static var reduced: Strategies.ExhaustiveReduced { Strategies.ExhaustiveReduced() }
}
