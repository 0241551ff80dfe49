// The names under which a file may say what a variant rightly leaves untested.

extension Scenario {
  /// All of them.
  var testedNames: [String] {
    let operations = world.entries.flatMap { entry in
      [entry.name] + (entry.replies + entry.faults).map(entry.name(of:))
    }
    let offline = world.offline.isEmpty ? [] : [OfflinePeriod.key]
    return (operations + offline + script.map(\.testedName) + checks.map(\.invariant)).unique
  }
}

extension WorldScript.Entry {
  package var name: String { "\(fake) \(operation)" }

  /// The name of a reply or a fault.
  package func name(of decision: String) -> String { "\(name): \(decision)" }

  /// The replies that are named for any call.
  package var replies: [String] { settings.flatMap { $0.reply?.values ?? [] }.unique }

  /// The faults that are named for any call.
  package var faults: [String] { settings.flatMap { $0.fails?.values ?? [] }.unique }

  private var settings: [OperationSettings] { [script.everyCall] + script.calls }
}

extension ScriptLine {
  package var testedName: String {
    switch self {
    case .action(let line): line.label ?? line.action
    case .cancel(let line): "cancel \(line.label)"
    case .anything: AnythingLine.name
    }
  }
}
