public import SimulatorStrategyInterface

extension Strategies {
  /// A strategy under the name that files and the command line use.
  ///
  /// To add a strategy, write it in its own file and add a line to ``all``. Files, the command line, its help, the
  /// schema, and the tests of all strategies read this list.
  public struct Named: Sendable {
    /// The name, which is one lowercase word.
    public let name: String
    /// A one-sentence summary of the strategy.
    public let summary: String
    /// Creates a strategy that has learned nothing yet.
    public let make: @Sendable () -> any SchedulingStrategy

    /// Every strategy that has a name, with the default one first.
    public static let all = [
      Strategies.Named("portfolio", "The natural order, then several strategies in turn.") {
        Strategies.Portfolio()
      },
      Strategies.Named("natural", "First come first served, shortest delays, no faults: one schedule.") {
        Strategies.NaturalOrder()
      },
      Strategies.Named("random", "Every option of every choice equally likely.") { Strategies.RandomWalk() },
      Strategies.Named("pct", "Random priorities, with two random changes: bugs of three orderings.") {
        Strategies.PCT()
      },
      Strategies.Named("pos", "A random priority for each step, drawn again after a race.") {
        Strategies.POS()
      },
      Strategies.Named("urw", "Interleavings equally likely.") { Strategies.URW() },
      Strategies.Named("surw", "Interleavings equally likely on one domain at a time.") { Strategies.SURW() },
      Strategies.Named("delay", "All schedules with no deviation, then all with one, with two, and so on.") {
        Strategies.DelayBounded()
      },
      Strategies.Named(
        "stories", "All stories of two actions at most, one fault or delay, and one deviation."
      ) {
        Strategies.Stories()
      },
      Strategies.Named("exhaustive", "All schedules.") { Strategies.ExhaustiveDFS() },
      Strategies.Named(
        "reduced", "One schedule of each behavior, as far as what steps have in common tells."
      ) {
        Strategies.ExhaustiveReduced()
      },
      Strategies.Named("feedback", "Brings about who follows whom on an actor or a lock.") {
        Strategies.Feedback()
      },
    ]

    /// The strategy that searches if no other is named.
    public static var usual: Strategies.Named { all[0] }

    /// The coverage that the strategy aims for; nil if it never ends by itself.
    public var goal: Strategies.Coverage? { (make() as? any Strategies.Covering)?.goal }

    /// Returns the strategy with this name.
    public static func named(_ name: String) -> Strategies.Named? { all.first { $0.name == name } }

    private init(_ name: String, _ summary: String, _ make: @escaping @Sendable () -> any SchedulingStrategy)
    {
      self.name = name
      self.summary = summary
      self.make = make
    }
  }
}
