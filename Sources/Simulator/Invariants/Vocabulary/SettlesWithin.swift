extension Invariant {
  /// After the last thing that the user did, all is quiet within `bound` of virtual time.
  ///
  /// The race: work that is no longer needed goes on, or things that could go side by side wait for each
  /// other.
  ///
  /// All that a fake, an action or an observed value does counts, no matter what started it.
  public static func settles(within bound: Duration) -> Invariant {
    Invariant.refuseNegative(bound, "settles-within")
    return Invariant(
      "settles-within", "All is quiet within the bound after the last thing that the user did."
    ) {
      SettlesWithin(bound: bound)
    }
  }
}

private struct SettlesWithin: Invariant.Monitor {
  let bound: Duration
  private var last: VirtualInstant?
  private var activity = Activity()

  init(bound: Duration) {
    self.bound = bound
  }

  var judged: Bool { last != nil }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .actionBegan, .cancelled, .appeared, .dismissed: last = event.time
    case .began, .effect, .ended, .actionEnded, .changed: return late(event.time, described(event))
    case .step, .cancellation, .spent, .note: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    activity.isQuiet ? nil : late(end, activity.description)
  }

  private func late(_ time: VirtualInstant, _ what: String) -> String? {
    guard let last, last.duration(to: time) > bound else { return nil }
    return "the user last acted at \(last), and \(last.duration(to: time).shortText) later (\(time)) \(what)"
  }

  private func described(_ event: Trace.Event) -> String {
    switch event.kind {
    case .began(let call): "\(call.operation) began"
    case .effect(let call, let effect): "\(call.operation) \(effect)"
    case .ended(let call, let outcome): "\(call.operation) \(outcome)"
    case .actionEnded(let action, let outcome): "\(action.label) \(outcome)"
    case .changed(let name, _, let to): "\(name) became \(to)"
    default: "something happened"
    }
  }
}

/// What is under way. O(1) an event.
struct Activity: CustomStringConvertible {
  private var calls: Set<Int> = []
  private var actions: Set<String> = []

  var isQuiet: Bool { calls.isEmpty && actions.isEmpty }

  func isUnderWay(_ action: Trace.Action) -> Bool { actions.contains(action.label) }

  mutating func saw(_ event: Trace.Event) {
    switch event.kind {
    case .began(let call): calls.insert(call.id)
    case .ended(let call, _): calls.remove(call.id)
    case .actionBegan(let action): actions.insert(action.label)
    case .actionEnded(let action, _): actions.remove(action.label)
    default: break
    }
  }

  var description: String { "\(calls.count) call(s) and \(actions.count) action(s) were still under way" }
}
