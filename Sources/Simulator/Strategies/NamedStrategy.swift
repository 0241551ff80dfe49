/// A strategy under the name that files and the command line use.
///
/// To add a strategy, write it in a file of its own and add a line to ``all``: files, the command line, its
/// help, the schema and the tests of all strategies read this list.
public struct NamedStrategy: Sendable {
  /// The name: one lower-case word.
  public let name: String
  /// What it does, in a sentence.
  public let summary: String
  /// A strategy that has learned nothing yet.
  public let make: @Sendable () -> any Strategy

  /// Every strategy that has a name, the usual one first.
  public static let all = [
    NamedStrategy("portfolio", "The natural order, single deviations, then several strategies in turn.") {
      Portfolio()
    },
    NamedStrategy("natural", "First come first served, shortest delays, no faults: one schedule.") {
      NaturalOrder()
    },
    NamedStrategy("random", "Every option of every choice equally likely.") { RandomWalk() },
    NamedStrategy("pct", "Random priorities, with two random changes: bugs of three orderings.") { PCT() },
    NamedStrategy("pos", "A random priority for each step, drawn again after a race.") { POS() },
    NamedStrategy("urw", "Interleavings equally likely.") { URW() },
    NamedStrategy("surw", "Interleavings equally likely on one domain at a time.") { SURW() },
    NamedStrategy("delay", "All schedules with no deviation, then all with one, with two, and so on.") {
      DelayBounded()
    },
    NamedStrategy("exhaustive", "All schedules.") { ExhaustiveDFS() },
    NamedStrategy("reduced", "One schedule of each behaviour, as far as what steps have in common tells.") {
      ExhaustiveReduced()
    },
    NamedStrategy("feedback", "Changes schedules that behaved as none before.") { Feedback() },
  ]

  /// The strategy that searches where no other is named.
  public static var usual: NamedStrategy { all[0] }

  /// What the strategy sets out to cover; nil if it never ends by itself.
  public var goal: Coverage? { (make() as? any CoveringStrategy)?.goal }

  /// The strategy of this name.
  public static func named(_ name: String) -> NamedStrategy? { all.first { $0.name == name } }

  private init(_ name: String, _ summary: String, _ make: @escaping @Sendable () -> any Strategy) {
    self.name = name
    self.summary = summary
    self.make = make
  }
}
