public import SimulatorCore

extension Invariant {
  /// An answer from before an action that discards it, such as a sign-out, is no longer shown or kept once that action
  /// has ended.
  ///
  /// The race: the cache outlives the session; or it is emptied, and then an answer that was still in flight fills it.
  ///
  /// ```swift
  /// func signOut() { cache.removeAll() }     // the request under way will fill it again
  /// ```
  ///
  /// The value that is shown identifies the answer, so different answers must have different values. A request that is
  /// made while the action is under way may belong to either side and is not judged. An action that fails discards
  /// nothing.
  ///
  /// - Parameters:
  ///   - holders: The observed values that show or keep answers: one answer, or a list or record of them.
  ///   - operation: The operation that returns them, such as `GET /articles`.
  ///   - action: The action after which older answers are no longer valid.
  public static func noStaleCache(
    in holders: String..., of operation: String, after action: String
  ) -> Invariant {
    Invariant(
      "no-stale-cache", "Nothing is shown or kept that was fetched before it was discarded.",
      diagnosis: .staleCache
    ) {
      NoStaleCache(holders: holders, operation: operation, action: action)
    }
  }
}

private struct NoStaleCache: Invariant.Monitor {
  private struct Discard {
    let action: Trace.Action
    let end: Trace.Event
    /// The newest call that it certainly discards.
    let newest: Int
  }

  let holders: [String]
  let operation: String
  let action: String
  private var held: [String: Trace.Value] = [:]
  private var answers: [Trace.Value: Int] = [:]
  private var newest = 0
  /// The newest call at the time when each action that is under way began.
  private var newestAtBegin: [Trace.Action: Int] = [:]
  private var discard: Discard?
  /// True if the values held at the end of the step that discarded them have been checked.
  private var isSettled = true

  init(holders: [String], operation: String, action: String) {
    self.holders = holders
    self.operation = operation
    self.action = action
  }

  var judged: Bool { discard != nil && !answers.isEmpty }

  mutating func saw(_ event: Trace.Event) -> String? {
    if let discard, event.step > discard.end.step, let sentence = settled() { return sentence }
    switch event.kind {
    case .began(let call): newest = call.id
    case .ended(let call, .returned(let value)) where call.operation == operation:
      answers[value] = max(call.id, answers[value] ?? 0)
    case .actionBegan(let action) where action.name == self.action: newestAtBegin[action] = newest
    case .actionEnded(let action, let outcome): ended(action, outcome, event)
    case .changed(let name, _, let to) where holders.contains(name):
      held[name] = to
      return isSettled ? stale(name) : nil
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? { settled() }

  private mutating func ended(_ action: Trace.Action, _ outcome: Trace.Outcome, _ event: Trace.Event) {
    guard let newest = newestAtBegin.removeValue(forKey: action), case .returned = outcome else { return }
    guard newest >= discard?.newest ?? 0 else { return }
    discard = Discard(action: action, end: event, newest: newest)
    isSettled = false
  }

  /// Returns the violation if a discarded value was still held at the end of the step that discarded it.
  private mutating func settled() -> String? {
    guard !isSettled else { return nil }
    isSettled = true
    for holder in holders {
      if let sentence = stale(holder) { return sentence }
    }
    return nil
  }

  private func stale(_ holder: String) -> String? {
    guard let discard, let value = held[holder] else { return nil }
    guard let old = value.parts.first(where: { answers[$0].map { $0 <= discard.newest } ?? false }) else {
      return nil
    }
    return "\(holder) has \(old), fetched before \(discard.action.label), which ended at "
      + "\(discard.end.time)"
  }
}

extension Trace.Value {
  /// The elements of a list, the parts of a record, or the value itself.
  fileprivate var parts: [Trace.Value] {
    switch self {
    case .list(let elements): elements
    case .record(let fields): fields.map(\.value)
    default: [self]
    }
  }
}
