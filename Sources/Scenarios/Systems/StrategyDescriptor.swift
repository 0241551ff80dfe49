import Simulator

/// A way of searching that a file or the command line may name.
struct StrategyDescriptor: Hashable, Sendable {
  let name: String
  let summary: String

  /// The engine's, the usual one first.
  static let all = NamedStrategy.all.map { StrategyDescriptor(name: $0.name, summary: $0.summary) }

  /// What searches when a file does not say.
  static let usual = "portfolio"
}
