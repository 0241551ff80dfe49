public import SimulatorCore

extension Invariant {
  /// While the user waits for an answer, the screen says so.
  ///
  /// The fault: the screen looks as if nothing were under way, and the user taps again.
  ///
  /// The user waits for a call while time passes, until the call ends or is canceled. Once something was canceled, or
  /// the user has left, nothing is owed anymore. Nothing is owed either during an action that began before the work of
  /// another was done, because either of them may change what is shown.
  ///
  /// - Parameters:
  ///   - operations: The operations that the user waits for.
  ///   - screen: The observed value.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - waiting: The value that it shows while the user waits.
  public static func waitIsShown(
    for operations: String..., on screen: String, _ part: String? = nil, as waiting: Trace.Value = "loading"
  ) -> Invariant {
    waitIsShown(forAny: operations, on: screen, part, as: waiting)
  }

  /// With `resting`, also in those times the screen must not look as if nobody waited: while an action that was not canceled is
  /// under way, and its call.
  ///
  /// - Parameters:
  ///   - actions: The actions that load; the calls of others are not judged. None for all of them.
  ///   - resting: The values that it shows when nothing is under way, and there is no success.
  package static func waitIsShown(
    forAny operations: [String], of actions: [String] = [], on screen: String, _ part: String?,
    as waiting: Trace.Value, resting: [Trace.Value] = []
  ) -> Invariant {
    Invariant("wait-is-shown", "While the user waits for an answer, the screen says so.") {
      WaitIsShown(
        operations: operations, actions: actions, screen: screen, part: part, waiting: waiting,
        resting: resting)
    }
  }
}

private struct WaitIsShown: Invariant.Monitor {
  let operations: [String]
  let screen: String
  let part: String?
  let waiting: Trace.Value
  let resting: [Trace.Value]
  private var calls: [Trace.Call] = []
  private var shown = Trace.Value.none
  private var last = VirtualInstant.start
  private var others: ForeignActions
  /// The actions under way that load and were not canceled.
  private var waiters: Set<Trace.Action> = []
  private var hasCancelled = false
  private var isGone = false
  private var isCrowded = false
  private var activity = Activity()
  private(set) var judged = false

  init(
    operations: [String], actions: [String], screen: String, part: String?, waiting: Trace.Value,
    resting: [Trace.Value]
  ) {
    self.resting = resting
    self.operations = operations
    others = ForeignActions(beside: actions)
    self.screen = screen
    self.part = part
    self.waiting = waiting
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    let message = event.time > last ? timePassed(to: event.time) : nil
    last = event.time
    if case .actionBegan = event.kind { isCrowded = !activity.isQuiet }
    activity.saw(event)
    others.saw(event)
    switch event.kind {
    case .began(let call) where operations.contains(call.operation) && !call.requesterWasCancelled:
      if others.isEmpty { calls.append(call) }
    case .ended(let call, _), .cancellation(let call, _): calls.removeAll { $0.id == call.id }
    case .changed(screen, _, let to): shown = part.flatMap { to[$0] } ?? to
    case .actionBegan(let action) where others.loads(action): waiters.insert(action)
    case .actionEnded(let action, _): waiters.remove(action)
    case .cancelled(let action):
      hasCancelled = true
      waiters.remove(action)
    case .dismissed: isGone = true
    default: break
    }
    return message
  }

  private mutating func timePassed(to time: VirtualInstant) -> String? {
    guard let call = calls.first, !isGone else { return nil }
    if hasCancelled || isCrowded {
      guard !waiters.isEmpty, !resting.isEmpty else { return nil }
      judged = true
      guard resting.contains(shown) else { return nil }
    } else {
      judged = true
      guard shown != waiting else { return nil }
    }
    return "from \(last) to \(time) \(call.operation) was under way, and \(screen) had \(shown)"
  }
}
