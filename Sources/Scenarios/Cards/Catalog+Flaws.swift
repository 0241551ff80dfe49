extension Catalog {
  /// All that is wrong with the cards themselves.
  var flaws: [CardFlaw] {
    repeats("systems", systems.map(\.name), in: "catalog") + systems.flatMap(flaws(of:))
  }

  private func flaws(of card: SystemCard) -> [CardFlaw] {
    var flaws: [CardFlaw] = []
    if card.variants.isEmpty { flaws.append(.empty(system: card.name, what: "variant")) }
    if card.actions.isEmpty { flaws.append(.empty(system: card.name, what: "action")) }
    flaws += repeats("variants", card.variants.map(\.name), in: card.name)
    flaws += repeats("actions", card.actions.map(\.name), in: card.name)
    flaws += repeats("invariants", card.invariants.map(\.name), in: card.name)
    flaws += repeats("fakes", card.fakes.map(\.name), in: card.name)
    flaws += parameterFlaws(card.settings, what: "settings", in: card.name)
    flaws += card.settings.filter { $0.defaultValue == nil }
      .map { .missingDefault(system: card.name, setting: $0.name) }
    flaws += card.invariants.filter { checksUnasked($0.name) }
      .map { .clashesWithBuiltIn(system: card.name, invariant: $0.name) }
    flaws += card.actions.flatMap { flaws(of: $0, in: card.name) }
    flaws += card.fakes.flatMap { flaws(of: $0, in: card.name) }
    return flaws
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
