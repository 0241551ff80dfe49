public import SimulatorCore

extension Invariant {
  /// A screen that is present asks again when it is notified of something new; one that has not appeared yet asks for
  /// nothing.
  ///
  /// The fault: the notification is dropped, and the screen stays outdated; or the work is done for no screen.
  ///
  /// While the user is on the screen, a call must begin after the action and before all is at rest.
  ///
  /// - Parameters:
  ///   - action: The action that notifies the screen.
  ///   - operation: The operation with which the screen asks.
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
  /// The first action that no call has followed yet.
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
