public import SimulatorCore

extension Invariant {
  /// After a failure, a cancel, or a dismissed screen, the screen shows the success of the user's next action, if
  /// nothing fails anymore.
  ///
  /// The fault: the failed work is kept, or the screen does not recover from its failure.
  ///
  /// ```swift
  /// guard loading == nil else { return }   // it has failed long ago
  /// loading = Task { await load() }
  /// ```
  ///
  /// Judges the time from a moment at which all was at rest to the next such moment or the end, if no call has failed
  /// and nobody has canceled or left in between. ``retryWorks(of:on:_:not:allowing:)`` judges how the actions
  /// themselves end.
  ///
  /// - Parameters:
  ///   - actions: The actions after which success must be shown; none for all of them.
  ///   - screen: The observed value that shows success.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - unsuccessful: The values that it shows without success. An empty list or text, or nothing, is not a success.
  ///   - isOnlyOnReturn: True if the app tries again only when the screen appears again.
  public static func recoveryIsShown(
    of actions: String..., on screen: String, _ part: String? = nil, not unsuccessful: [Trace.Value] = [],
    onlyOnReturn isOnlyOnReturn: Bool = false
  ) -> Invariant {
    recoveryIsShown(ofAny: actions, on: screen, part, not: unsuccessful, onlyOnReturn: isOnlyOnReturn)
  }

  package static func recoveryIsShown(
    ofAny actions: [String], on screen: String, _ part: String?, not unsuccessful: [Trace.Value],
    onlyOnReturn isOnlyOnReturn: Bool
  ) -> Invariant {
    Invariant("recovery-is-shown", "After a failure or a cancel, the screen shows the next success.") {
      RecoveryIsShown(
        actions: actions, screen: screen, part: part,
        unsuccessful: unsuccessful + [.none, .list([]), .text("")], isOnlyOnReturn: isOnlyOnReturn)
    }
  }
}

private struct RecoveryIsShown: Invariant.Monitor {
  let actions: [String]
  let screen: String
  let part: String?
  let unsuccessful: [Trace.Value]
  let isOnlyOnReturn: Bool
  private var shown = Trace.Value.none
  private var activity = Activity()
  private var isGone = false
  private var hasAppeared = false
  /// True if something had failed, was canceled, or was left before the last time that all was at rest.
  private var hadTrouble = false
  /// True if something has failed, was canceled, or was left since then.
  private var isTroubled = false
  /// The last action that has succeeded since then.
  private var returned: String?
  private var hasJudged = false

  init(
    actions: [String], screen: String, part: String?, unsuccessful: [Trace.Value], isOnlyOnReturn: Bool
  ) {
    self.actions = actions
    self.screen = screen
    self.part = part
    self.unsuccessful = unsuccessful
    self.isOnlyOnReturn = isOnlyOnReturn
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .changed(screen, _, let to): shown = part.flatMap { to[$0] } ?? to
    case .ended where event.isFailedCall: isTroubled = true
    case .cancelled: isTroubled = true
    case .dismissed: (isTroubled, isGone) = (true, true)
    case .appeared: (isGone, hasAppeared) = (false, true)
    case .actionEnded(let action, .returned) where actions.isEmpty || actions.contains(action.name):
      returned = action.label
    case .actionEnded(_, .threw), .actionEnded(_, .cancelled): isTroubled = true
    default: break
    }
    return nil
  }

  var judged: Bool { hasJudged || isDue }

  /// True if the screen owes a success.
  private var isDue: Bool {
    hadTrouble && !isTroubled && !isGone && activity.isQuiet && (hasAppeared || !isOnlyOnReturn)
      && returned != nil
  }

  mutating func paused(_ time: VirtualInstant) -> String? {
    defer {
      hadTrouble = hadTrouble || isTroubled
      // Work that is still under way may yet fail.
      isTroubled = !activity.isQuiet
      (returned, hasAppeared) = (nil, false)
    }
    return atRest(time)
  }

  mutating func atRest(_ time: VirtualInstant) -> String? {
    guard isDue, let returned else { return nil }
    hasJudged = true
    guard unsuccessful.contains(shown) else { return nil }
    return "\(returned) has returned and nothing has failed since all was at rest, and \(screen) has \(shown)"
  }
}
