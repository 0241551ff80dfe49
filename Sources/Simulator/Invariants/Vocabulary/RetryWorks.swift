extension Invariant {
  /// After a failure, a cancel or a screen that was left, what the user does next succeeds, where nothing fails any more.
  ///
  /// The fault: what has failed is kept, and given to all who ask later.
  ///
  /// ```swift
  /// let charge = charges[order] ?? Task { try await payments.charge(order) }
  /// charges[order] = charge          // and there it stays when it has failed
  /// return try await charge.value
  /// ```
  ///
  /// It judges what comes after a moment at which all was at rest, up to the next such moment or the end, if in between no call
  /// has failed and nobody has cancelled or left. There an action that ends must have succeeded, and the screen must show it.
  ///
  /// - Parameters:
  ///   - actions: The actions that are judged; none for all of them.
  ///   - screen: The observed value that shows success; nil where what the action returns is all.
  ///   - part: The part of it that tells, where it is a record.
  ///   - unsuccessful: What it says without success. An empty list or text, or nothing, is no success.
  ///   - allowed: How the texts of errors begin that the app may throw by itself.
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
  /// Whether something had failed, was cancelled or left when all was at rest last.
  private var hadTrouble = false
  /// Whether something has failed, was cancelled or left since.
  private var isTroubled = false
  /// The action that has succeeded since.
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
      // What is still under way may yet fail.
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
