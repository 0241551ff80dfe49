import Simulator

/// A mistake in a descriptor, which is a mistake in the program, found before any file is read.
package enum DescriptorFlaw: Error, Equatable, Sendable {
  case empty(system: String, what: String)
  case repeated(system: String, what: String, name: String)
  case reservedAction(system: String)
  case reservedRelaunch(system: String)
  case reservedFake(system: String)
  case reservedArgument(system: String, action: String, name: String)
  case wrongDefault(system: String, parameter: String)
  case missingDefault(system: String, setting: String)
  case clashesWithBuiltIn(system: String, invariant: String)
  case unknownFault(system: String, operation: String, fault: String)
  case unknownUntested(system: String, variant: String, name: String, allowed: [String])
  case unknownRule(system: String, variant: String, name: String)
  case badVariantName(system: String, variant: String)
}

extension DescriptorFlaw: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty(let system, let what): "the descriptor of \(Echo.quoted(system)) has no \(what); give it one"
    case .repeated(let system, let what, let name):
      "the descriptor of \(Echo.quoted(system)) has two \(what) named \(Echo.quoted(name)); rename one"
    case .reservedAction(let system):
      "in the descriptor of \(Echo.quoted(system)), an action is called \(Echo.quoted(ScriptWord.anything)), which stands for "
        + "any action; rename it"
    case .reservedRelaunch(let system):
      "in the descriptor of \(Echo.quoted(system)), an action is called \(Echo.quoted(SystemDescriptor.Action.relaunch.name)), "
        + "which stands for the death of the process; list it as \".relaunch\", or rename it"
    case .reservedFake(let system):
      "in the descriptor of \(Echo.quoted(system)), a fake is called \(Echo.quoted(ScriptWord.offline)), which stands for the "
        + "times without a connection; rename it"
    case .reservedArgument(let system, let action, let name):
      "in the descriptor of \(Echo.quoted(system)), \(Echo.quoted(action)) has an argument \(Echo.quoted(name)), "
        + "which every script line has already; rename it"
    case .wrongDefault(let system, let parameter):
      "in the descriptor of \(Echo.quoted(system)), the default of \(Echo.quoted(parameter)), or what \"among\" offers, is not of its kind"
    case .missingDefault(let system, let setting):
      "in the descriptor of \(Echo.quoted(system)), the setting \(Echo.quoted(setting)) has no default; give it one"
    case .clashesWithBuiltIn(let system, let invariant):
      "the descriptor of \(Echo.quoted(system)) lists \(Echo.quoted(invariant)), which is checked in every system; remove it"
    case .unknownFault(let system, let operation, let fault):
      "in the descriptor of \(Echo.quoted(system)), \(Echo.quoted(operation)) lists the fault \(Echo.quoted(fault)); "
        + "allowed: \(Echo.list(FakeFault.allCases.map(\.rawValue)))"
    case .unknownUntested(let system, let variant, let name, let allowed):
      "in the descriptor of \(Echo.quoted(system)), \(Echo.quoted(variant)) lists \(Echo.quoted(name)) as untested, and there is "
        + "no such part\(NearestName.suggestion(for: name, in: allowed))"
    case .unknownRule(let system, let variant, let name):
      "in the descriptor of \(Echo.quoted(system)), \(Echo.quoted(variant)) breaks \(Echo.quoted(name)), and there is "
        + "no such rule of the boundaries\(NearestName.suggestion(for: name, in: SystemBoundaries.audited))"
    case .badVariantName(let system, let variant):
      "in the descriptor of \(Echo.quoted(system)), the variant \(Echo.quoted(variant)) cannot be named on a command line; "
        + "use letters, digits, \"-\", \"_\" and \".\""
    }
  }
}

extension Vocabulary {
  /// All mistakes in the descriptors themselves.
  package var flaws: [DescriptorFlaw] {
    repeats("systems", systems.map(\.name), in: "catalog") + systems.flatMap(flaws(of:))
  }

  private func flaws(of descriptor: SystemDescriptor) -> [DescriptorFlaw] {
    var found: [DescriptorFlaw] = []
    if descriptor.variants.isEmpty { found.append(.empty(system: descriptor.name, what: "variant")) }
    if descriptor.actions.isEmpty { found.append(.empty(system: descriptor.name, what: "action")) }
    found += descriptor.variants.filter { !PlainName.admits($0.name) }
      .map { .badVariantName(system: descriptor.name, variant: $0.name) }
    found += untestedFlaws(of: descriptor)
    found += descriptor.variants.flatMap { variant in
      variant.breaks.filter { !SystemBoundaries.audited.contains($0) }
        .map { .unknownRule(system: descriptor.name, variant: variant.name, name: $0) }
    }
    found += repeats("variants", descriptor.variants.map(\.name), in: descriptor.name)
    found += repeats("actions", descriptor.actions.map(\.name), in: descriptor.name)
    found += repeats("invariants", descriptor.invariants.map(\.name), in: descriptor.name)
    found += repeats("fakes", descriptor.fakes.map(\.name), in: descriptor.name)
    found += parameterFlaws(descriptor.settings, what: "settings", in: descriptor.name)
    found += descriptor.settings.filter { $0.defaultValue == nil }
      .map { .missingDefault(system: descriptor.name, setting: $0.name) }
    found += descriptor.invariants.filter { checksUnasked($0.name) }
      .map { .clashesWithBuiltIn(system: descriptor.name, invariant: $0.name) }
    if descriptor.actions.contains(where: { $0.name == ScriptWord.anything }) {
      found.append(.reservedAction(system: descriptor.name))
    }
    if descriptor.actions.contains(where: {
      $0.name == SystemDescriptor.Action.relaunch.name && !$0.isRelaunch
    }) {
      found.append(.reservedRelaunch(system: descriptor.name))
    }
    if descriptor.fakes.contains(where: { $0.name == ScriptWord.offline }) {
      found.append(.reservedFake(system: descriptor.name))
    }
    found += descriptor.actions.flatMap { flaws(of: $0, in: descriptor.name) }
    found += descriptor.fakes.flatMap { flaws(of: $0, in: descriptor.name) }
    return found
  }

  private func untestedFlaws(of descriptor: SystemDescriptor) -> [DescriptorFlaw] {
    let operations = descriptor.fakes.flatMap { fake in
      fake.operations.flatMap { operation in
        let name = "\(fake.name) \(operation.name)"
        return [name] + (operation.replies + operation.faults).map { "\(name): \($0)" }
      }
    }
    let offline = descriptor.isConnected ? [OfflinePeriod.key] : []
    let allowed = operations + offline + descriptor.invariants.map(\.name)
    return descriptor.variants.flatMap { variant in
      variant.untested.filter { !allowed.contains($0) }.map {
        .unknownUntested(system: descriptor.name, variant: variant.name, name: $0, allowed: allowed)
      }
    }
  }

  private func flaws(of action: SystemDescriptor.Action, in system: String) -> [DescriptorFlaw] {
    parameterFlaws(action.arguments, what: "arguments", in: system)
      + action.arguments.filter { ScriptKey(rawValue: $0.name) != nil }
      .map { .reservedArgument(system: system, action: action.name, name: $0.name) }
  }

  private func flaws(of fake: SystemDescriptor.Fake, in system: String) -> [DescriptorFlaw] {
    var found = repeats("operations", fake.operations.map(\.name), in: system)
    for operation in fake.operations {
      found += repeats("replies", operation.replies, in: system)
      found += repeats("faults", operation.faults, in: system)
      for fault in operation.faults where FakeFault(rawValue: fault) == nil {
        found.append(.unknownFault(system: system, operation: operation.name, fault: fault))
      }
    }
    return found
  }

  private func parameterFlaws(
    _ parameters: [SystemDescriptor.Parameter], what: String, in system: String
  ) -> [DescriptorFlaw] {
    repeats(what, parameters.map(\.name), in: system)
      + parameters.filter { parameter in parameter.offered.contains { !parameter.kind.admits($0) } }
      .map { .wrongDefault(system: system, parameter: $0.name) }
  }

  private func repeats(_ what: String, _ names: [String], in system: String) -> [DescriptorFlaw] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }.map { .repeated(system: system, what: what, name: $0) }
  }
}
