import Simulator
import SimulatorStrategies

/// All names that scenario files and the command line may use.
package struct Vocabulary: Sendable {
  package var systems: [SystemDescriptor]
  package var builtInChecks: [BuiltInCheck] = BuiltInCheck.all
  package var strategies: [StrategyDescriptor] = StrategyDescriptor.all
  /// The sentence that says why a token cannot be read; nil when it can. The engine knows the format of
  /// tokens.
  package var tokenFlaw: @Sendable (String) -> String? = { _ in nil }

  package init(
    systems: [SystemDescriptor], tokenFlaw: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    (self.systems, self.tokenFlaw) = (systems, tokenFlaw)
  }

  /// The descriptor of the system `name`.
  package func system(_ name: String) -> SystemDescriptor? {
    systems.first { $0.name == name }
  }

  /// The same with one system.
  package func only(_ name: String) -> Vocabulary {
    var vocabulary = self
    vocabulary.systems.removeAll { $0.name != name }
    return vocabulary
  }

  /// Whether the built-in check `name` exists.
  func checksUnasked(_ name: String) -> Bool {
    builtInChecks.contains { $0.name == name }
  }
}

/// A check that is made in every execution without being listed.
package struct BuiltInCheck: Hashable, Sendable {
  package let name: String
  package let summary: String
  /// Whether `check` may list it too.
  var mayBeListed = false

  /// The engine's. Whatever outlives a scenario is a violation, so a program that has not returned is one too.
  static let all = Invariant.BuiltIn.checks.filter { $0.name != Invariant.BuiltIn.unfinished }.map {
    BuiltInCheck(
      name: $0.name, summary: $0.summary, mayBeListed: $0.name == Invariant.BuiltIn.nothingOutlives)
  }
}

/// A way of searching that a file or the command line may name.
package struct StrategyDescriptor: Hashable, Sendable {
  package let name: String
  let summary: String

  /// The engine's, the usual one first.
  static let all = Strategies.Named.all.map { StrategyDescriptor(name: $0.name, summary: $0.summary) }

  /// What searches when a file does not say.
  static let usual = Strategies.Named.usual.name
}
