public import SimulatorCore

extension Invariant {
  /// An action is refused if the state does not allow it, and only then.
  ///
  /// The fault: the check of the state is missing or inverted.
  ///
  /// ```swift
  /// func signOut() throws {
  ///   state = .loggedOut             // also where nobody was logged in
  /// }
  /// ```
  ///
  /// An action sees the state at one moment between its beginning and its end. Its result must be right for one of the
  /// states in between.
  ///
  /// - Parameters:
  ///   - forbidden: For each action, the states in which it is refused.
  ///   - state: The observed value.
  ///   - refusal: The beginning of the text of the error that refuses an action.
  public static func refusalIsTrue(
    of forbidden: [String: [Trace.Value]], in state: String, saying refusal: String
  ) -> Invariant {
    Invariant("refusal-is-true", "An action is refused where the state forbids it, and only there.") {
      RefusalIsTrue(forbidden: forbidden, state: state, refusal: refusal)
    }
  }
}

private struct RefusalIsTrue: Invariant.Monitor {
  let forbidden: [String: [Trace.Value]]
  let state: String
  let refusal: String
  /// The present state; nil until it changes for the first time.
  private var now: Trace.Value?
  /// The states since each action began.
  private var seen: [Trace.Action: [Trace.Value]] = [:]
  private(set) var judged = false

  init(forbidden: [String: [Trace.Value]], state: String, refusal: String) {
    self.forbidden = forbidden
    self.state = state
    self.refusal = refusal
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .changed(state, let from, let to):
      let states = now == nil ? [from, to] : [to]
      now = to
      for action in seen.keys { seen[action]?.append(contentsOf: states) }
    case .actionBegan(let action) where forbidden[action.name] != nil: seen[action] = now.map { [$0] } ?? []
    case .actionEnded(let action, let outcome):
      guard let states = seen.removeValue(forKey: action), let forbidden = forbidden[action.name],
        !states.isEmpty
      else {
        return nil
      }
      judged = true
      return sentence(action, outcome, states, forbidden)
    default: break
    }
    return nil
  }

  private func sentence(
    _ action: Trace.Action, _ outcome: Trace.Outcome, _ states: [Trace.Value], _ forbidden: [Trace.Value]
  ) -> String? {
    switch outcome {
    case .threw(let error) where error.hasPrefix(refusal):
      guard !states.contains(where: forbidden.contains) else { return nil }
      return
        "\(action.label) was refused (\(error)), and \(state) was \(states.map(\.description).joined(separator: ", "))"
    case .returned:
      guard states.allSatisfy(forbidden.contains) else { return nil }
      return
        "\(action.label) was not refused, and \(state) was \(states.map(\.description).joined(separator: ", "))"
    default: return nil
    }
  }
}
