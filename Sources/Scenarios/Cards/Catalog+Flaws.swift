extension Catalog {
  /// All that is wrong with the cards themselves.
  var flaws: [CardFlaw] {
    repeats("systems", systems.map(\.name), in: "catalog") + systems.flatMap(flaws(of:))
  }

  private func flaws(of card: SystemCard) -> [CardFlaw] {
    var found: [CardFlaw] = []
    if card.variants.isEmpty { found.append(.empty(system: card.name, what: "variant")) }
    if card.actions.isEmpty { found.append(.empty(system: card.name, what: "action")) }
    found += repeats("variants", card.variants.map(\.name), in: card.name)
    found += repeats("actions", card.actions.map(\.name), in: card.name)
    found += repeats("invariants", card.invariants.map(\.name), in: card.name)
    found += repeats("fakes", card.fakes.map(\.name), in: card.name)
    found += parameterFlaws(card.settings, what: "settings", in: card.name)
    found += card.settings.filter { $0.defaultValue == nil }
      .map { .missingDefault(system: card.name, setting: $0.name) }
    found += card.invariants.filter { checksUnasked($0.name) }
      .map { .clashesWithBuiltIn(system: card.name, invariant: $0.name) }
    found += card.actions.flatMap { flaws(of: $0, in: card.name) }
    found += card.fakes.flatMap { flaws(of: $0, in: card.name) }
    return found
  }

  private func flaws(of action: SystemCard.Action, in system: String) -> [CardFlaw] {
    parameterFlaws(action.arguments, what: "arguments", in: system)
      + action.arguments.filter { ScriptKey(rawValue: $0.name) != nil }
      .map { .reservedArgument(system: system, action: action.name, name: $0.name) }
  }

  private func flaws(of fake: SystemCard.Fake, in system: String) -> [CardFlaw] {
    repeats("operations", fake.operations.map(\.name), in: system)
      + fake.operations.flatMap { operation in
        repeats("replies", operation.replies, in: system) + repeats("faults", operation.faults, in: system)
      }
  }

  private func parameterFlaws(
    _ parameters: [SystemCard.Parameter], what: String, in system: String
  ) -> [CardFlaw] {
    repeats(what, parameters.map(\.name), in: system)
      + parameters.filter { parameter in parameter.defaultValue.map { !parameter.kind.admits($0) } ?? false }
      .map { .wrongDefault(system: system, parameter: $0.name) }
  }

  private func repeats(_ what: String, _ names: [String], in system: String) -> [CardFlaw] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }.map { .repeated(system: system, what: what, name: $0) }
  }
}
