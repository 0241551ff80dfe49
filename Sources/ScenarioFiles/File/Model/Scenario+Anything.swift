import Simulator

extension AnythingLine {
  /// Everything that a user of the system may do, or only those of its `actions` that are named.
  init(
    of descriptor: SystemDescriptor, _ actions: [String]? = nil, atMost: Int = Self.usually,
    cancels: Bool = true,
    at position: SourcePosition
  ) {
    let chosen = descriptor.actions.filter { actions?.contains($0.name) ?? true }
    self.init(steps: chosen.flatMap(Step.all), atMost: atMost, cancels: cancels, position: position)
  }
}

extension AnythingLine.Step {
  /// The action with every choice of its arguments.
  fileprivate static func all(of action: SystemDescriptor.Action) -> [AnythingLine.Step] {
    var choices: [[NamedValues.Entry]] = [[]]
    for argument in action.arguments {
      choices = choices.flatMap { choice in
        argument.offered.map { choice + [NamedValues.Entry(name: argument.name, value: $0)] }
      }
    }
    let differing = action.arguments.filter { $0.offered.count > 1 }.map(\.name)
    return choices.map { choice in
      AnythingLine.Step(
        action: action.name, arguments: NamedValues(choice),
        words: choice.filter { differing.contains($0.name) }.map(\.value.shown).joined(separator: " "))
    }
  }
}

extension WorldScript {
  /// A world that may do whatever the descriptor lists.
  static func anything(of descriptor: SystemDescriptor) -> WorldScript {
    WorldScript(
      entries: descriptor.fakes.flatMap(entries), offline: descriptor.isConnected ? [.anything] : [])
  }

  /// What each operation of a fake may do.
  static func entries(of fake: SystemDescriptor.Fake) -> [Entry] {
    fake.operations.map { Entry(fake: fake.name, operation: $0.name, script: .anything(of: $0)) }
  }
}

extension OfflinePeriod {
  /// The connection is there all the time, by nature, or goes for ten seconds: while the first answer is on its way back, by
  /// nature, or its request on the way there, at once, or later.
  fileprivate static let anything = OfflinePeriod(
    from: .alternatives([.milliseconds(75), .milliseconds(25), .zero, .seconds(3)]),
    length: .alternatives([.zero, .seconds(10)]))
}

extension OperationScript {
  /// Every reply and every fault that the descriptor lists; each way, there and back, takes a twentieth of a second, by nature,
  /// or five seconds;
  /// and the call may go on when it is cancelled. How long the domain of the caller is kept closed says the descriptor.
  package static func anything(of operation: SystemDescriptor.Operation) -> OperationScript {
    let keys = operation.keys
    var settings = OperationSettings()
    let way = TimeOffer.alternatives([.milliseconds(50), .seconds(5)])
    if keys.contains(.arrivalDelay) { settings.arrivalDelay = way }
    if keys.contains(.delay) { settings.delay = way }
    if let spends = operation.spends ?? (keys.contains(.delay) ? nil : .seconds(1)), keys.contains(.spend) {
      settings.spend = .alternatives([.zero, spends])
    }
    if keys.contains(.reply) { settings.reply = Alternatives(operation.replies) }
    if keys.contains(.fails) { settings.fails = Alternatives(operation.faults) }
    if keys.contains(.ignoresCancel) { settings.ignoresCancel = Alternatives([false, true]) }
    return OperationScript(everyCall: settings)
  }
}

extension SettingOffer {
  /// The settings of which a story that is made up chooses the values.
  static func all(of descriptor: SystemDescriptor) -> [SettingOffer] {
    descriptor.settings.filter { $0.offered.count > 1 }.map {
      SettingOffer(name: $0.name, values: $0.offered)
    }
  }
}
