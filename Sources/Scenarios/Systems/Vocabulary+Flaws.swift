extension Vocabulary {
  /// All that is wrong with the descriptors themselves.
  var flaws: [DescriptorFlaw] {
    repeats("systems", systems.map(\.name), in: "catalog") + systems.flatMap(flaws(of:))
  }

  private func flaws(of descriptor: SystemDescriptor) -> [DescriptorFlaw] {
    var found: [DescriptorFlaw] = []
    if descriptor.variants.isEmpty { found.append(.empty(system: descriptor.name, what: "variant")) }
    if descriptor.actions.isEmpty { found.append(.empty(system: descriptor.name, what: "action")) }
    found += repeats("variants", descriptor.variants.map(\.name), in: descriptor.name)
    found += repeats("actions", descriptor.actions.map(\.name), in: descriptor.name)
    found += repeats("invariants", descriptor.invariants.map(\.name), in: descriptor.name)
    found += repeats("fakes", descriptor.fakes.map(\.name), in: descriptor.name)
    found += parameterFlaws(descriptor.settings, what: "settings", in: descriptor.name)
    found += descriptor.settings.filter { $0.defaultValue == nil }
      .map { .missingDefault(system: descriptor.name, setting: $0.name) }
    found += descriptor.invariants.filter { checksUnasked($0.name) }
      .map { .clashesWithBuiltIn(system: descriptor.name, invariant: $0.name) }
    found += descriptor.actions.flatMap { flaws(of: $0, in: descriptor.name) }
    found += descriptor.fakes.flatMap { flaws(of: $0, in: descriptor.name) }
    return found
  }

  private func flaws(of action: SystemDescriptor.Action, in system: String) -> [DescriptorFlaw] {
    parameterFlaws(action.arguments, what: "arguments", in: system)
      + action.arguments.filter { ScriptKey(rawValue: $0.name) != nil }
      .map { .reservedArgument(system: system, action: action.name, name: $0.name) }
  }

  private func flaws(of fake: SystemDescriptor.Fake, in system: String) -> [DescriptorFlaw] {
    repeats("operations", fake.operations.map(\.name), in: system)
      + fake.operations.flatMap { operation in
        repeats("replies", operation.replies, in: system) + repeats("faults", operation.faults, in: system)
      }
  }

  private func parameterFlaws(
    _ parameters: [SystemDescriptor.Parameter], what: String, in system: String
  ) -> [DescriptorFlaw] {
    repeats(what, parameters.map(\.name), in: system)
      + parameters.filter { parameter in parameter.defaultValue.map { !parameter.kind.admits($0) } ?? false }
      .map { .wrongDefault(system: system, parameter: $0.name) }
  }

  private func repeats(_ what: String, _ names: [String], in system: String) -> [DescriptorFlaw] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }.map { .repeated(system: system, what: what, name: $0) }
  }
}
