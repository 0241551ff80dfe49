public import SimulatorCore

extension Invariant {
  /// An action that returns has waited for its work.
  ///
  /// The fault: the work goes on in a task that is not awaited, and the caller believes that it is over.
  ///
  /// ```swift
  /// func refresh() async {
  ///   if refreshing == nil { refreshing = Task { await load() } }   // and `await refreshing?.value` is missing
  /// }
  /// ```
  ///
  /// If no other action is under way when an action returns, no call may be under way either.
  ///
  /// - Parameter actions: The actions that wait; none for all of them.
  public static func returnsWhenDone(_ actions: String...) -> Invariant {
    Invariant("returns-when-done", "An action that returns has waited for its work.") {
      ReturnsWhenDone(actions: actions)
    }
  }
}

private struct ReturnsWhenDone: Invariant.Monitor {
  let actions: [String]
  private var activity = Activity()
  private(set) var judged = false

  init(actions: [String]) {
    self.actions = actions
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    guard case .actionEnded(let action, .returned) = event.kind,
      actions.isEmpty || actions.contains(action.name), activity.hasNoAction
    else { return nil }
    judged = true
    return activity.isQuiet ? nil : "\(action.label) returned at \(event.time), and \(activity)"
  }
}
