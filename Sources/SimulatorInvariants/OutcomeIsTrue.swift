public import SimulatorCore

extension Invariant {
  /// An action reports success only if the call that does its work has succeeded.
  ///
  /// The fault: an error is swallowed, or the work is skipped, and the screen says that everything is saved.
  ///
  /// ```swift
  /// do { try await disk.write(note) } catch { cache[note.id] = nil }   // and not a word to the caller
  /// ```
  ///
  /// The rule counts: each time that an action returns, one more call must have returned; or only one in all, if
  /// actions share calls. An answer that is a record whose `status` is 400 or above is not a success.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - operation: The operation that does its work.
  ///   - isShared: True if one call may do the work of several actions.
  public static func outcomeIsTrue(
    of action: String, by operation: String, shared isShared: Bool = false
  ) -> Invariant {
    Invariant("outcome-is-true", "An action says that it has succeeded only where its work is done.") {
      OutcomeIsTrue(action: action, operation: operation, isShared: isShared)
    }
  }
}

private struct OutcomeIsTrue: Invariant.Monitor {
  let action: String
  let operation: String
  let isShared: Bool
  private var done = 0
  private var told = 0

  init(action: String, operation: String, isShared: Bool) {
    self.action = action
    self.operation = operation
    self.isShared = isShared
  }

  var judged: Bool { told > 0 }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .ended(let call, .returned(let answer)) where call.operation == operation && !answer.isRefusal:
      done += 1
    case .actionEnded(let action, .returned) where action.name == self.action:
      told += 1
      guard done < (isShared ? 1 : told) else { return nil }
      return done == 0
        ? "\(action.label) returned, and no \(operation) had succeeded"
        : "\(action.label) is number \(told) to have returned, and \(operation) had succeeded \(done) times"
    default: break
    }
    return nil
  }
}
