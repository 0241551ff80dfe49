public import SimulatorCore

extension Invariant {
  /// An action that returns has done what it says, and an action that the state allows does not fail.
  ///
  /// The fault: a check of the state is missing or inverted, or the action returns early.
  ///
  /// ```swift
  /// func pause() throws {
  ///   guard case .running(let parts) = state else { return }   // and the user believes that it is paused
  ///   state = .paused(parts)
  /// }
  /// ```
  ///
  /// An action takes effect at one moment between its beginning and its end. If it returns, it must have brought the
  /// state from one in which it is allowed to the one that it promises. If it fails, the state must at some point have
  /// been one in which it is not allowed.
  ///
  /// - Parameters:
  ///   - moves: For each action, the states in which it is allowed, and the state that it leads to.
  ///   - value: The observed value.
  ///   - part: The part of it that holds the state, if it is a record.
  public static func doesWhatItSays(
    _ moves: [String: (from: [Trace.Value], to: Trace.Value)], on value: String, _ part: String? = nil
  ) -> Invariant {
    Invariant("does-what-it-says", "An action does what it says, or fails because the state forbids it.") {
      DoesWhatItSays(moves: moves, value: value, part: part)
    }
  }
}

private struct DoesWhatItSays: Invariant.Monitor {
  private struct UnderWay {
    let action: Trace.Action
    /// The states since the action began.
    var states: [Trace.Value]
    var end: (outcome: Trace.Outcome, step: Int)?
  }

  let moves: [String: (from: [Trace.Value], to: Trace.Value)]
  let value: String
  let part: String?
  private var state = Trace.Value.none
  private var actions: [UnderWay] = []
  private var hasJudged = false

  init(moves: [String: (from: [Trace.Value], to: Trace.Value)], value: String, part: String?) {
    self.moves = moves
    self.value = value
    self.part = part
  }

  var judged: Bool { hasJudged || actions.contains { $0.end != nil } }

  /// The changes of a step are reported when the step is over, perhaps after the end of the action, so an action is
  /// judged in the step after its end.
  mutating func saw(_ event: Trace.Event) -> String? {
    let sentence = ended { $0 < event.step }
    switch event.kind {
    case .actionBegan(let action) where moves[action.name] != nil:
      actions.append(UnderWay(action: action, states: [state]))
    case .actionEnded(let action, let outcome):
      if let place = actions.lastIndex(where: { $0.action == action }) {
        actions[place].end = (outcome, event.step)
      }
    case .changed(value, _, let to):
      state = part.flatMap { to[$0] } ?? to
      for place in actions.indices { actions[place].states.append(state) }
    default: break
    }
    return sentence
  }

  mutating func atRest(_ end: VirtualInstant) -> String? { ended { _ in true } }

  /// Judges the actions that ended in a step for which `isOver` returns true.
  private mutating func ended(_ isOver: (Int) -> Bool) -> String? {
    let over = actions.filter { $0.end.map { isOver($0.step) } ?? false }
    guard !over.isEmpty else { return nil }
    hasJudged = true
    actions.removeAll { underWay in over.contains { $0.action == underWay.action } }
    return over.lazy.compactMap(sentence).first
  }

  private func sentence(_ underWay: UnderWay) -> String? {
    guard let move = moves[underWay.action.name] else { return nil }
    let seen = "\(value) was \(underWay.states.map(\.description).joined(separator: ", "))"
    switch underWay.end?.outcome {
    case .returned:
      let start = underWay.states.firstIndex(where: move.from.contains)
      guard start.map({ underWay.states[$0...].contains(move.to) }) ?? false else {
        return "\(underWay.action.label) returned and should have led to \(move.to), but \(seen)"
      }
    case .threw(let error) where underWay.states.allSatisfy(move.from.contains):
      return "\(underWay.action.label) failed (\(error)) where it was allowed: \(seen)"
    case .threw, .cancelled, nil: break
    }
    return nil
  }
}
