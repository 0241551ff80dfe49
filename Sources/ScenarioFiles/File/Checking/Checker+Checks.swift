/// What `check` says.
struct ListedChecks {
  var known: [Check] = []
  /// False when an entry could not be read or is misspelled: what seems to be missing may be that one.
  var isWhole = true

  var names: [String] { known.map(\.invariant) }
}

extension Checker {
  /// `check`: the invariants that are monitored.
  mutating func checks(_ node: JSONNode?, of descriptor: SystemDescriptor) -> ListedChecks {
    var checks = ListedChecks()
    var names = UniqueNames(.invariant)
    guard let node else { return checks }
    guard case .array(let array) = node.value else {
      wrongType(node, allowed: "a list of invariants, [ … ]")
      return ListedChecks(isWhole: false)
    }
    checks.isWhole = array.isWhole
    for element in array.elements {
      guard let check = check(element, of: descriptor) else {
        checks.isWhole = false
        continue
      }
      claim(check.invariant, in: &names, at: element.range)
      checks.known.append(check)
    }
    return checks
  }

  private mutating func check(_ node: JSONNode, of descriptor: SystemDescriptor) -> Check? {
    switch node.value {
    case .string(let name): return plainCheck(name, at: node, of: descriptor)
    case .object(let object): return checkWithParameter(object, at: node, of: descriptor)
    default:
      wrongType(node, allowed: "an invariant such as \"name\", or { \"name\": value }")
      return nil
    }
  }

  private mutating func plainCheck(_ name: String, at node: JSONNode, of descriptor: SystemDescriptor)
    -> Check?
  {
    let check = Check(invariant: name, parameter: nil, position: position(of: node))
    if let builtIn = vocabulary.builtInChecks.first(where: { $0.name == name }) {
      if !builtIn.mayBeListed { report(.alwaysChecked(name), at: node) }
      return check
    }
    guard let invariant = invariant(name, at: node.range, of: descriptor) else { return nil }
    if let kind = invariant.parameter { report(.needsParameter(name, allowed: kind.allowed), at: node) }
    return check
  }

  private mutating func checkWithParameter(
    _ object: JSONObject, at node: JSONNode, of descriptor: SystemDescriptor
  ) -> Check? {
    guard object.members.count == 1, let member = object.members.first else {
      if object.isWhole { wrongType(node, allowed: "one invariant and its value, { \"name\": value }") }
      return nil
    }
    let name = member.key.name
    var parameter: ParameterValue?
    if vocabulary.checksUnasked(name) {
      report(.takesNoParameter(name), at: node)
    } else if let invariant = invariant(name, at: member.key.range, of: descriptor) {
      if let kind = invariant.parameter {
        parameter = self.parameter(member.value, kind)
      } else {
        report(.takesNoParameter(name), at: node)
      }
    } else {
      return nil
    }
    return Check(invariant: name, parameter: parameter, position: position(of: node))
  }

  private mutating func invariant(
    _ name: String, at range: Range<Int>, of descriptor: SystemDescriptor
  ) -> SystemDescriptor.Invariant? {
    if let invariant = descriptor.invariants.first(where: { $0.name == name }) { return invariant }
    let listable = vocabulary.builtInChecks.filter(\.mayBeListed).map(\.name)
    report(.unknownName(.invariant, name, allowed: descriptor.invariants.map(\.name) + listable), at: range)
    return nil
  }
}
