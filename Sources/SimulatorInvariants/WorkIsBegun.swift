public import SimulatorCore

extension Invariant {
  /// An action that returns has at least begun the call that does its work.
  ///
  /// The fault: the call is omitted, and nothing reveals that. Use this for work whose failure does not matter; for
  /// other work, see ``outcomeIsTrue(of:by:shared:)``.
  ///
  /// The rule counts: each time that an action returns, one more call must have begun.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - operation: The operation that does its work.
  public static func workIsBegun(of action: String, by operation: String) -> Invariant {
    Invariant("work-is-begun", "An action that returns has begun its work.") {
      WorkIsBegun(action: action, operation: operation)
    }
  }
}

private struct WorkIsBegun: Invariant.Monitor {
  let action: String
  let operation: String
  private var begun = 0
  private var returned = 0

  init(action: String, operation: String) {
    self.action = action
    self.operation = operation
  }

  var judged: Bool { returned > 0 }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .began(let call) where call.operation == operation: begun += 1
    case .actionEnded(let action, .returned) where action.name == self.action:
      returned += 1
      guard begun < returned else { return nil }
      return
        "\(action.label) is number \(returned) to have returned, and \(operation) had begun \(begun) times"
    default: break
    }
    return nil
  }
}
