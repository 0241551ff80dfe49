/// Every name that a scenario file may use.
struct Vocabulary: Sendable {
  var systems: [SystemDescriptor]
  var builtInChecks: [BuiltInCheck] = BuiltInCheck.all
  var strategies: [StrategyDescriptor] = StrategyDescriptor.all
  /// The sentence that says what is wrong with a token, nil when it can be read. Tokens belong to the engine.
  var tokenFlaw: @Sendable (String) -> String? = { _ in nil }

  /// The descriptor of the system `name`.
  func system(_ name: String) -> SystemDescriptor? {
    systems.first { $0.name == name }
  }

  /// Whether the built-in check `name` exists.
  func checksUnasked(_ name: String) -> Bool {
    builtInChecks.contains { $0.name == name }
  }
}
