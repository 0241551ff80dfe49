/// A way of searching that a file or the command line may name.
struct StrategyCard: Hashable, Sendable {
  let name: String
  let summary: String

  static let all = [
    StrategyCard(name: "natural", summary: "First come first served, shortest delays, no faults: once."),
    StrategyCard(name: "random", summary: "Each choice at random, from the seed."),
    StrategyCard(name: "portfolio", summary: "Several strategies take turns within one budget."),
  ]

  /// What searches when a file does not say.
  static let usual = "random"
}
