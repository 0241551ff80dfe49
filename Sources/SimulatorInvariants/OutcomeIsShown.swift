public import SimulatorCore

extension Invariant {
  /// If nothing has failed and nobody has canceled or left, the screen shows success at rest.
  ///
  /// The fault: a result is dropped, or a spinner spins forever, although nothing has failed.
  ///
  /// ```swift
  /// let note = try? await store.note(id)   // and then
  /// guard note == nil else { return }      // the wrong way around
  /// ```
  ///
  /// Judges executions in which an action has returned, no call has failed, and nothing is under way at the end.
  ///
  /// - Parameters:
  ///   - actions: The actions after which success must be shown; none for all of them.
  ///   - screen: The observed value.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - unsuccessful: The values that it shows before there is success, or without it. An empty list or text, or
  ///     nothing, is not a success.
  ///   - refusals: The actions by which the user does without success.
  public static func successIsShown(
    of actions: String..., on screen: String, _ part: String? = nil, not unsuccessful: [Trace.Value] = [],
    unless refusals: String...
  ) -> Invariant {
    successIsShown(ofAny: actions, on: screen, part, not: unsuccessful, unlessAny: refusals)
  }

  package static func successIsShown(
    ofAny actions: [String], on screen: String, _ part: String?, not unsuccessful: [Trace.Value],
    unlessAny refusals: [String]
  ) -> Invariant {
    Invariant("success-is-shown", "Where nothing has failed, the screen shows success at rest.") {
      SuccessIsShown(
        actions: actions, screen: screen, part: part, unsuccessful: unsuccessful, refusals: refusals)
    }
  }

  /// If every call of an operation has failed and nobody has canceled or left, the screen shows failure at rest.
  ///
  /// The fault: an error is swallowed, and the screen says nothing, or that all is well.
  ///
  /// ```swift
  /// do { try await load() } catch { phase = Task.isCancelled ? settled : settled }
  /// ```
  ///
  /// - Parameters:
  ///   - operations: The operations each of which is necessary: without its answer there is nothing to show.
  ///   - screen: The observed value.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - failure: The value that it shows on failure.
  public static func failureIsShown(
    of operations: String..., on screen: String, _ part: String? = nil, as failure: Trace.Value = "failed"
  ) -> Invariant {
    failureIsShown(ofAny: operations, on: screen, part, as: failure)
  }

  /// - Parameter actions: The actions that load; calls that may be of others are not judged. None for all of them.
  package static func failureIsShown(
    ofAny operations: [String], by actions: [String] = [], on screen: String, _ part: String?,
    as failure: Trace.Value
  ) -> Invariant {
    Invariant("failure-is-shown", "Where all has failed, the screen shows failure at rest.") {
      FailureIsShown(operations: operations, actions: actions, screen: screen, part: part, failure: failure)
    }
  }
}

private struct SuccessIsShown: Invariant.Monitor {
  let actions: [String]
  let unsuccessful: [Trace.Value]
  let refusals: [String]
  private var end: ScreenAtRest
  private var hasReturned = false

  init(
    actions: [String], screen: String, part: String?, unsuccessful: [Trace.Value], refusals: [String]
  ) {
    self.actions = actions
    self.refusals = refusals
    self.unsuccessful = unsuccessful + [.none, .list([]), .text("")]
    end = ScreenAtRest(screen: screen, part: part)
  }

  var judged: Bool { hasReturned && end.isDue }

  mutating func saw(_ event: Trace.Event) -> String? {
    end.saw(event)
    switch event.kind {
    case .ended where event.isFailedCall: end.isExcused = true
    // Whether an action may fail by itself is for another invariant to judge.
    case .actionEnded(_, .threw): end.isExcused = true
    case .actionBegan(let action) where refusals.contains(action.name): end.isExcused = true
    case .actionEnded(let action, .returned) where actions.isEmpty || actions.contains(action.name):
      hasReturned = true
    default: break
    }
    return nil
  }

  mutating func atRest(_ time: VirtualInstant) -> String? {
    guard judged, unsuccessful.contains(end.shown) else { return nil }
    return "at rest \(end.screen) has \(end.shown), and nothing has failed"
  }
}

private struct FailureIsShown: Invariant.Monitor {
  let failure: Trace.Value
  private var calls: [(operation: String, failures: Int, successes: Int)]
  private var others: ForeignActions
  /// The calls that may be those of other actions.
  private var foreign: Set<Int> = []
  private var end: ScreenAtRest

  init(operations: [String], actions: [String], screen: String, part: String?, failure: Trace.Value) {
    self.failure = failure
    others = ForeignActions(beside: actions)
    calls = operations.map { ($0, 0, 0) }
    end = ScreenAtRest(screen: screen, part: part)
  }

  var judged: Bool { failed != nil && end.isDue }

  /// The first operation of which every call has failed.
  private var failed: String? { calls.first { $0.failures > 0 && $0.successes == 0 }?.operation }

  mutating func saw(_ event: Trace.Event) -> String? {
    end.saw(event)
    others.saw(event)
    if case .began(let call) = event.kind, !others.isEmpty { foreign.insert(call.id) }
    guard case .ended(let call, let outcome) = event.kind,
      let place = calls.firstIndex(where: { $0.operation == call.operation })
    else { return nil }
    let isForeign = foreign.remove(call.id) != nil
    if event.isFailedCall {
      if !isForeign { calls[place].failures += 1 }
    } else if case .returned = outcome {
      calls[place].successes += 1
    }
    return nil
  }

  mutating func atRest(_ time: VirtualInstant) -> String? {
    guard judged, let failed, end.shown != failure else { return nil }
    return "at rest \(end.screen) has \(end.shown) and not \(failure), and every \(failed) has failed"
  }
}

/// The final state of a screen, if the user is still there to see it.
private struct ScreenAtRest {
  let screen: String
  let part: String?
  private(set) var shown = Trace.Value.none
  /// True if the screen owes nothing, because something was canceled, the user left, or the monitor has its own
  /// reason.
  var isExcused = false
  private var activity = Activity()

  init(screen: String, part: String?) {
    self.screen = screen
    self.part = part
  }

  var isDue: Bool { !isExcused && activity.isQuiet }

  mutating func saw(_ event: Trace.Event) {
    activity.saw(event)
    switch event.kind {
    case .changed(screen, _, let to): shown = part.flatMap { to[$0] } ?? to
    case .cancelled, .dismissed: isExcused = true
    default: break
    }
  }
}
