extension Invariant {
  /// A screen that is there asks again when it is told that there is something new; and one that has not appeared yet asks for
  /// nothing.
  ///
  /// The fault: the notification is dropped, and what is shown stays old; or the work is done for nobody.
  ///
  /// Where the user is there, a call must begin after the action and before all is at rest.
  ///
  /// - Parameters:
  ///   - action: The action by which the screen is told.
  ///   - operation: The operation by which it asks.
  public static func asksAgain(after action: String, by operation: String) -> Invariant {
    Invariant("asks-again", "A screen that is there asks for what is new, and no other does.") {
      AsksAgain(action: action, operation: operation)
    }
  }
}

private struct AsksAgain: Invariant.Monitor {
  let action: String
  let operation: String
  private var hasAppeared = false
  private var isThere = false
  /// The action that is not followed by a call yet.
  private var owed: (label: String, since: VirtualInstant)?
  private(set) var judged = false

  init(action: String, operation: String) {
    self.action = action
    self.operation = operation
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .appeared: (hasAppeared, isThere) = (true, true)
    case .dismissed: (isThere, owed) = (false, nil)
    case .actionBegan(let began) where began.name == action && isThere:
      judged = true
      owed = owed ?? (began.label, event.time)
    case .began(let call) where call.operation == operation:
      owed = nil
      return hasAppeared ? nil : "at \(event.time) \(operation) began, and no screen had appeared"
    default: break
    }
    return nil
  }

  mutating func paused(_ time: VirtualInstant) -> String? { atRest(time) }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard let owed else { return nil }
    return "\(owed.label) came at \(owed.since), and no \(operation) had begun when all was at rest at \(end)"
  }
}
