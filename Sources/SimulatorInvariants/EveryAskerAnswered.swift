public import SimulatorCore

extension Invariant {
  /// Every action that asks gets its own answer, a result or an error: never silence, and never the cancel of another.
  ///
  /// The race: two actions share one request; the one that sent it is canceled, and the other loses its answer.
  ///
  /// An action that was canceled, or whose screen has been left, is owed nothing.
  ///
  /// - Parameter actions: The actions that ask; none for all of them.
  public static func everyAskerAnswered(_ actions: String...) -> Invariant {
    Invariant("every-asker-answered", "Whoever asks gets an answer, and not another's cancel.") {
      EveryAskerAnswered(actions: actions)
    }
  }
}

private struct EveryAskerAnswered: Invariant.Monitor {
  let actions: [String]
  private var asked: [Trace.Action: VirtualInstant] = [:]
  private var cancelled: Set<Trace.Action> = []
  private var isDismissed = false
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  init(actions: [String]) {
    self.actions = actions
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .actionBegan(let action) where actions.isEmpty || actions.contains(action.name):
      judged = true
      asked[action] = event.time
    case .cancelled(let action): cancelled.insert(action)
    case .dismissed: isDismissed = true
    case .actionEnded(let action, let outcome): return ended(action, outcome)
    default: break
    }
    return nil
  }

  private mutating func ended(_ action: Trace.Action, _ outcome: Trace.Outcome) -> String? {
    guard asked.removeValue(forKey: action) != nil, outcome == .cancelled, isOwed(action) else { return nil }
    diagnosis = cancelled.isEmpty && !isDismissed ? nil : .sharedCancellation
    return "\(action.label) was told that it was cancelled, but nobody had cancelled it"
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    let waiting = asked.filter { isOwed($0.key) }.sorted { $0.key.label < $1.key.label }
    guard let (action, since) = waiting.first else { return nil }
    diagnosis = .neverAnswered
    return "\(action.label) has asked at \(since) and has no answer at \(end)"
  }

  private func isOwed(_ action: Trace.Action) -> Bool { !cancelled.contains(action) && !isDismissed }
}
