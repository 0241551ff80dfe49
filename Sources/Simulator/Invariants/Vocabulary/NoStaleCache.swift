extension Invariant {
  /// What was fetched before an action that discards it, a sign-out, is shown and kept no more once that has
  /// ended.
  ///
  /// The race: the cache outlives the session; or it is emptied, and then filled by an answer that was still
  /// on its way.
  ///
  /// ```swift
  /// func signOut() { cache.removeAll() }     // the request under way will fill it again
  /// ```
  ///
  /// Which answer is shown is told by its value, so different answers must have different values. What is
  /// asked for while the action is under way may be either side's and is not judged; an action that fails
  /// discards nothing.
  ///
  /// - Parameters:
  ///   - holders: The observed values that show or keep answers: one, a list or a record of them.
  ///   - operation: What brings them, `GET /articles`.
  ///   - action: The action after which the older ones are no longer true.
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
    /// The newest call that it discards for sure.
    let newest: Int
  }

  let holders: [String]
  let operation: String
  let action: String
  private var held: [String: Trace.Value] = [:]
  private var answers: [Trace.Value: Int] = [:]
  private var newest = 0
  /// The newest call when each action that is under way began.
  private var newestAtBegin: [Trace.Action: Int] = [:]
  private var discard: Discard?
  /// Whether what was held at the end of that step has been looked at.
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

  /// What was still held when the step was over that discarded it.
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
