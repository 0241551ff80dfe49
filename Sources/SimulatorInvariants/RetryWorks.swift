public import SimulatorCore

extension Invariant {
  /// After a failure, a cancel, or a dismissed screen, the user's next action succeeds, if nothing fails anymore.
  ///
  /// The fault: the failed result is kept, and returned to all later callers.
  ///
  /// ```swift
  /// let charge = charges[order] ?? Task { try await payments.charge(order) }
  /// charges[order] = charge          // and there it stays when it has failed
  /// return try await charge.value
  /// ```
  ///
  /// Judges the time from a moment at which all was at rest to the next such moment or the end, if no call has failed
  /// and nobody has canceled or left in between. An action that ends in that time must have succeeded, and the screen
  /// must show it.
  ///
  /// - Parameters:
  ///   - actions: The actions that are judged; none for all of them.
  ///   - screen: The observed value that shows success; nil if only the outcome of the action counts.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - unsuccessful: The values that it shows without success. An empty list or text, or nothing, is not a success.
  ///   - allowed: The beginnings of the texts of the errors that the app may throw by itself.
  public static func retryWorks(
    of actions: String..., on screen: String? = nil, _ part: String? = nil,
    not unsuccessful: [Trace.Value] = [],
    allowing allowed: [String] = []
  ) -> Invariant {
    Invariant("retry-works", "After a failure or a cancel, the next attempt succeeds if nothing fails.") {
      RetryWorks(
        actions: actions, screen: screen, part: part,
        unsuccessful: unsuccessful + [.none, .list([]), .text("")],
        allowed: allowed)
    }
  }
}

private struct RetryWorks: Invariant.Monitor {
  let actions: [String]
  let screen: String?
  let part: String?
  let unsuccessful: [Trace.Value]
  let allowed: [String]
  private var shown = Trace.Value.none
  private var activity = Activity()
  private var isGone = false
  /// True if something had failed, was canceled, or was left before the last time that all was at rest.
  private var hadTrouble = false
  /// True if something has failed, was canceled, or was left since then.
  private var isTroubled = false
  /// The last action that has succeeded since then.
  private var returned: String?
  private(set) var judged = false

  init(
    actions: [String], screen: String?, part: String?, unsuccessful: [Trace.Value], allowed: [String]
  ) {
    self.actions = actions
    self.screen = screen
    self.part = part
    self.unsuccessful = unsuccessful
    self.allowed = allowed
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .changed(let name, _, let to) where name == screen: shown = part.flatMap { to[$0] } ?? to
    case .ended where event.isFailedCall: isTroubled = true
    case .cancelled: isTroubled = true
    case .dismissed: (isTroubled, isGone) = (true, true)
    case .appeared: isGone = false
    case .actionEnded(let action, let outcome) where actions.isEmpty || actions.contains(action.name):
      return ended(action, outcome)
    default: break
    }
    return nil
  }

  private mutating func ended(_ action: Trace.Action, _ outcome: Trace.Outcome) -> String? {
    if case .threw(let error) = outcome, allowed.contains(where: error.hasPrefix) { return nil }
    if case .returned = outcome {
      returned = action.label
      return nil
    }
    defer { isTroubled = true }
    guard hadTrouble, !isTroubled, !isGone else { return nil }
    judged = true
    return "\(action.label) \(outcome), and nothing has failed since all was at rest"
  }

  mutating func paused(_ time: VirtualInstant) -> String? {
    defer {
      hadTrouble = hadTrouble || isTroubled
      // Work that is still under way may yet fail.
      isTroubled = !activity.isQuiet
      returned = nil
    }
    return atRest(time)
  }

  mutating func atRest(_ time: VirtualInstant) -> String? {
    guard hadTrouble, !isTroubled, !isGone, activity.isQuiet, let returned else { return nil }
    judged = true
    guard let screen, unsuccessful.contains(shown) else { return nil }
    return "\(returned) has returned and nothing has failed since all was at rest, and \(screen) has \(shown)"
  }
}
