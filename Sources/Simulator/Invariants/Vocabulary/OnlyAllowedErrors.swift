extension Invariant {
  /// An action fails only where something has failed, or with an error of its own that is allowed.
  ///
  /// The fault: a check throws where it should not, and nothing was wrong.
  ///
  /// ```swift
  /// guard request != self.request else { throw SignedOut() }   // the wrong way around
  /// ```
  ///
  /// Once a call has failed, any action may fail: it threw an error that is no cancellation, or its answer is a record
  /// whose `status` is 400 or above. An action that ends as cancelled is not judged: see
  /// ``everyAskerAnswered(_:)``.
  ///
  /// - Parameters:
  ///   - actions: The actions that are judged; none for all of them.
  ///   - allowed: How the texts of errors begin that the app may throw by itself.
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
  /// Whether a call ends here that threw, or whose answer has a status of 400 or above.
  var isFailedCall: Bool {
    switch kind {
    case .ended(_, .threw): true
    case .ended(_, .returned(let answer)): answer.isRefusal
    default: false
    }
  }
}

extension Trace.Value {
  /// Whether it is a record whose status is 400 or above.
  var isRefusal: Bool {
    if case .int(400...)? = self["status"] { true } else { false }
  }
}
