extension Checker {
  private var allowedOutcome: String {
    "\"holds\", \(Echo.quoted(Expectation.testsNothing)) or a list of the invariants that are violated"
  }

  /// `expect`: for each variant, whether it holds or what exactly it violates.
  mutating func expectations(
    _ node: JSONNode?, of descriptor: SystemDescriptor, checks: ListedChecks
  ) -> [Expectation] {
    let variants = descriptor.variants.map(\.name)
    guard let node else { return mayLackExpectations ? variants.map(unsaid) : [] }
    guard let fields = members(of: node) else { return [] }
    var expectations = fields.members.compactMap { member -> Expectation? in
      guard isVariant(member.key, allowed: variants) else { return nil }
      let outcome = outcome(member.value, of: descriptor, checks: checks)
      let position = source.position(at: member.key.range.lowerBound)
      return outcome.map { Expectation(variant: member.key.name, outcome: $0, position: position) }
    }
    for variant in missing(variants, in: fields, allowed: variants) {
      if mayLackExpectations {
        expectations.append(unsaid(variant))
      } else {
        report(.missingExpectation(variant: variant), at: fields.node)
      }
    }
    return expectations
  }

  private func unsaid(_ variant: String) -> Expectation {
    let nowhere = SourcePosition(line: 1, column: 1)
    return Expectation(variant: variant, outcome: .holds, position: nowhere, isMissing: true)
  }

  private mutating func isVariant(_ key: JSONKey, allowed: [String]) -> Bool {
    if allowed.contains(key.name) { return true }
    report(.unknownName(.variant, key.name, allowed: allowed), at: key.range)
    return false
  }

  private mutating func outcome(
    _ node: JSONNode, of descriptor: SystemDescriptor, checks: ListedChecks
  ) -> Expectation.Outcome? {
    switch node.value {
    case .string("holds"): return .holds
    case .string(Expectation.testsNothing):
      if checks.names.isEmpty, checks.isWhole { report(.nothingChecked(Expectation.testsNothing), at: node) }
      return .testsNothing
    case .array:
      var names = UniqueNames(.invariant)
      let found = list(node, "the list of violated invariants", instead: "write \"holds\"").compactMap {
        element -> String? in
        let name = violated(element, of: descriptor, checks: checks)
        if let name { claim(name, in: &names, at: element.range) }
        return name
      }
      return .violates(found)
    default:
      wrongType(node, allowed: allowedOutcome)
      return nil
    }
  }

  private mutating func violated(_ node: JSONNode, of descriptor: SystemDescriptor, checks: ListedChecks)
    -> String?
  {
    guard let name = string(node, allowed: "the name of an invariant, in quotes") else { return nil }
    if checks.names.contains(name) || vocabulary.checksUnasked(name) { return name }
    if descriptor.invariants.contains(where: { $0.name == name }) {
      if checks.isWhole { report(.notChecked(name), at: node) }
      return nil
    }
    let allowed = checks.names + vocabulary.builtInChecks.map(\.name).filter { !checks.names.contains($0) }
    report(.unknownName(.invariant, name, allowed: allowed), at: node)
    return nil
  }

  /// `untested`: for each variant that is to hold, what of the scenario it rightly never meets.
  mutating func untested(_ node: JSONNode, in scenario: inout Scenario) {
    guard let fields = members(of: node) else { return }
    let holding = scenario.expectations.filter { $0.outcome == .holds }.map(\.variant)
    let allowed = scenario.testedNames
    for member in fields.members where isVariant(member.key, allowed: holding) {
      let names = list(member.value, "the list of what stays untested").compactMap {
        name($0, .tested, allowed: allowed)
      }
      let index = scenario.expectations.firstIndex { $0.variant == member.key.name }
      if let index { scenario.expectations[index].mayBeUntested = names }
    }
  }

  /// `replays`: for each variant, the tokens of schedules that once violated something.
  mutating func replays(_ node: JSONNode?, of descriptor: SystemDescriptor) -> [RecordedReplay] {
    guard let node, let fields = members(of: node) else { return [] }
    return fields.members.flatMap { member -> [RecordedReplay] in
      guard isVariant(member.key, allowed: descriptor.variants.map(\.name)) else { return [] }
      return list(member.value, "the list of tokens").compactMap { replay($0, of: member.key.name) }
    }
  }

  private mutating func replay(_ node: JSONNode, of variant: String) -> RecordedReplay? {
    guard let token = string(node, allowed: "a replay token, in quotes") else { return nil }
    if let flaw = vocabulary.tokenFlaw(token) { report(.badToken(token, flaw: flaw), at: node) }
    return RecordedReplay(variant: variant, token: token, position: position(of: node))
  }
}
