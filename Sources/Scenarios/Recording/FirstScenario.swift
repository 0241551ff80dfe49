import ScenarioFiles

/// A scenario to start from: one or two actions of a system, in a world that does as usual, with every variant.
struct FirstScenario {
  let descriptor: SystemDescriptor
  /// What each variant was seen to do; one that is missing is taken to hold.
  var outcomes: [SeenOutcome] = []

  /// The text of a whole file.
  var text: String {
    let file: JSONTree = ["version": .integer(ScenarioFile.version), "scenarios": [scenario]]
    return file.text + "\n"
  }

  private var scenario: JSONTree {
    var object = JSONTree.Builder()
    object.add("name", PlainName.made(of: "my-\(descriptor.name)"))
    object.add("about", about)
    object.add("system", descriptor.name)
    object.add("with", settings)
    object.add("world", world)
    object.add("script", actions.enumerated().map(line))
    object.add("check", checks.isEmpty ? nil : checks)
    object.add("search", ["schedules": .integer(Search().schedules)] as JSONTree)
    object.add("expect", JSONTree.object(descriptor.variants.map(expectation)))
    return object.tree
  }

  private var about: String {
    let (first, second) = (actions[0].name, actions[1].name)
    let then = first == second ? "again" : second
    return
      "The user does \(first), and \(then) at any moment after it. Say here what a user would see go wrong."
  }

  /// The first two; the only one twice. A launch that nothing came before is no beginning.
  private var actions: [SystemDescriptor.Action] {
    let usual = descriptor.actions.filter { !$0.isRelaunch }
    let all = usual.isEmpty ? descriptor.actions : usual
    return [all[0], all[all.count > 1 ? 1 : 0]]
  }

  private func line(_ index: Int, _ action: SystemDescriptor.Action) -> JSONTree {
    var object = JSONTree.Builder()
    object.add("do", action.name)
    for argument in action.arguments { object.add(argument.name, argument.offered.first?.tree) }
    object.add("at", index == 0 ? "0s" : ScriptTime.anytimeText)
    return object.tree
  }

  private var settings: JSONTree? {
    let members = descriptor.settings.compactMap { setting in
      setting.defaultValue.map { JSONTree.Member(key: setting.name, value: $0.tree) }
    }
    return members.isEmpty ? nil : .object(members)
  }

  /// Every operation, with what it does where a story says nothing of it.
  private var world: JSONTree? {
    let fakes = descriptor.fakes.compactMap { fake -> JSONTree.Member? in
      let operations = fake.operations.compactMap { operation -> JSONTree.Member? in
        let usual = Self.usual(of: operation)
        return usual.members.isEmpty ? nil : JSONTree.Member(key: operation.name, value: usual)
      }
      return operations.isEmpty ? nil : JSONTree.Member(key: fake.name, value: .object(operations))
    }
    return fakes.isEmpty ? nil : .object(fakes)
  }

  /// What takes no time but that of its caller takes none.
  private static func usual(of operation: SystemDescriptor.Operation) -> JSONTree {
    var object = JSONTree.Builder()
    object.add(
      OperationKey.delay.rawValue, operation.keys.contains(.delay) ? "\(Nanoseconds.milliseconds(50))" : nil)
    object.add(
      OperationKey.spend.rawValue,
      operation.keys.contains(.spend) && !operation.keys.contains(.delay) ? "\(Nanoseconds.zero)" : nil)
    object.add(OperationKey.reply.rawValue, operation.replies.first)
    object.add(OperationKey.fails.rawValue, operation.faults.first)
    return object.tree
  }

  /// Those that need no number, and those for which the descriptor says one.
  private var checks: [JSONTree] {
    descriptor.invariants.compactMap { invariant in
      if invariant.parameter == nil { return .string(invariant.name) }
      return invariant.usual.map { .object([JSONTree.Member(key: invariant.name, value: $0.tree)]) }
    }
  }

  private func expectation(_ variant: SystemDescriptor.Variant) -> JSONTree.Member {
    let outcome = outcomes.first { $0.variant == variant.name }?.outcome
    if case .violates(let names) = outcome { return .init(key: variant.name, value: .strings(names)) }
    return .init(key: variant.name, value: "holds")
  }
}
