public import SimulatorCore

extension Invariant {
  /// An action fails only if something has failed, or with an allowed error of its own.
  ///
  /// The fault: a check throws although nothing is wrong.
  ///
  /// ```swift
  /// guard request != self.request else { throw SignedOut() }   // the wrong way around
  /// ```
  ///
  /// Once a call has failed, any action may fail. A call fails if it throws an error that is not a cancellation, or if
  /// its answer is a record whose `status` is 400 or above. An action that ends as canceled is not judged: see
  /// ``everyAskerAnswered(_:)``.
  ///
  /// - Parameters:
  ///   - actions: The actions that are judged; none for all of them.
  ///   - allowed: The beginnings of the texts of the errors that the app may throw by itself.
  public static func onlyAllowedErrors(of actions: String..., allowing allowed: [String] = []) -> Invariant {
    Invariant("only-allowed-errors", "An action fails only where something has failed.") {
      OnlyAllowedErrors(actions: actions, allowed: allowed)
    }
  }
}

private struct OnlyAllowedErrors: Invariant.Monitor {
  let actions: [String]
  let allowed: [String]
  private var hasFailure = false
  private(set) var judged = false

  init(actions: [String], allowed: [String]) {
    self.actions = actions
    self.allowed = allowed
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    if event.isFailedCall { hasFailure = true }
    guard case .actionEnded(let action, let outcome) = event.kind,
      actions.isEmpty || actions.contains(action.name)
    else { return nil }
    judged = true
    guard case .threw(let error) = outcome, !hasFailure, !allowed.contains(where: error.hasPrefix) else {
      return nil
    }
    return "\(action.label) failed (\(error)), and nothing had failed by then"
  }
}

extension Trace.Event {
  /// True if a call ends here that threw, or whose answer has a status of 400 or above.
  var isFailedCall: Bool {
    switch kind {
    case .ended(_, .threw): true
    case .ended(_, .returned(let answer)): answer.isRefusal
    default: false
    }
  }
}

extension Trace.Value {
  /// True if it is a record whose status is 400 or above.
  var isRefusal: Bool {
    if case .int(400...)? = self["status"] { true } else { false }
  }
}
