/// A scenario that shows what a system's descriptor allows: a pattern to start from, not a race that was
/// found.
struct WorkedExample {
  let descriptor: SystemDescriptor

  init(of descriptor: SystemDescriptor) {
    self.descriptor = descriptor
  }

  /// A whole file.
  var file: JSONTree { ["version": .integer(ScenarioFile.version), "scenarios": [scenario]] }

  var scenario: JSONTree {
    [
      "name": "my-first-scenario",
      "about": "What a user of the app would see go wrong.",
      "system": .string(descriptor.name),
      "with": .object(descriptor.settings.compactMap(setting)),
      "world": .object(descriptor.fakes.prefix(2).compactMap(fake)),
      "script": .array(script),
      "check": .array(descriptor.invariants.map(check)),
      "search": ["strategy": "random", "schedules": 1000, "seed": 0, "until": "1m"],
      "expect": .object(descriptor.variants.map { .init(key: $0.name, value: outcome(of: $0)) }),
    ]
  }

  private func setting(_ parameter: SystemDescriptor.Parameter) -> JSONTree.Member? {
    parameter.defaultValue.map { .init(key: parameter.name, value: $0.tree) }
  }

  private func fake(_ fake: SystemDescriptor.Fake) -> JSONTree.Member? {
    fake.operations.first.map { operation in
      .init(key: fake.name, value: .object([.init(key: operation.name, value: settings(of: operation))]))
    }
  }

  private func settings(of operation: SystemDescriptor.Operation) -> JSONTree {
    .object(
      operation.keys.compactMap { key in
        switch key {
        case .delay: .init(key: key.rawValue, value: "100ms...2s")
        case .reply: .init(key: key.rawValue, value: .strings(operation.replies))
        case .fails: .init(key: key.rawValue, value: .strings(operation.faults))
        case .arrivalDelay, .spend, .ignoresCancel, .calls: nil
        }
      })
  }

  /// Every action once: the first is cancelled later, the last may come at any time.
  private var script: [JSONTree] {
    let last = descriptor.actions.count - 1
    var lines = descriptor.actions.enumerated().map { index, action in
      line(
        action, at: index == 0 ? "0s" : index == last ? "anytime" : "50ms", label: index == 0 ? "first" : nil)
    }
    lines.append(["cancel": "first", "at": "1s...3s"])
    return lines
  }

  private func line(_ action: SystemDescriptor.Action, at time: String, label: String?) -> JSONTree {
    var members: [JSONTree.Member] = [.init(key: "do", value: .string(action.name))]
    members += action.arguments.map { .init(key: $0.name, value: sample($0).tree) }
    if let label { members.append(.init(key: "as", value: .string(label))) }
    return .object(members + [.init(key: "at", value: .string(time))])
  }

  private func check(_ invariant: SystemDescriptor.Invariant) -> JSONTree {
    guard let kind = invariant.parameter else { return .string(invariant.name) }
    return .object([.init(key: invariant.name, value: sample(of: kind).tree)])
  }

  private func outcome(of variant: SystemDescriptor.Variant) -> JSONTree {
    guard variant == descriptor.variants.first, descriptor.variants.count > 1,
      let first = descriptor.invariants.first
    else {
      return "holds"
    }
    return [.string(first.name)]
  }

  private func sample(_ parameter: SystemDescriptor.Parameter) -> ParameterValue {
    parameter.defaultValue ?? sample(of: parameter.kind)
  }

  private func sample(of kind: ParameterKind) -> ParameterValue {
    switch kind {
    case .string: .string("42")
    case .integer(let bounds): .integer(min(max(1, bounds.lowerBound), bounds.upperBound))
    case .duration: .duration(.seconds(8))
    case .bool: .bool(true)
    }
  }
}
