public import SimulatorCore

extension Invariant {
  /// The screen shows a failure only if something has failed.
  ///
  /// The race: the user leaves, or pulls again, while a request is in flight; `CancellationError` ends up in the same
  /// `catch` as a lost connection, and the screen says that something went wrong.
  ///
  /// The rule counts: each time that the screen begins to show a failure, one more call must have failed. A call fails
  /// if it throws an error that is not a cancellation, or if its answer is a record whose `status` is 400 or above. If
  /// nothing was canceled, the screen is not judged: the failure is then the app's own judgment. If the screen showed
  /// a failure, went on to something else, and comes back to a failure, that counts as the same one.
  ///
  /// - Parameters:
  ///   - screen: The observed value.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - failed: The value of that part on failure.
  public static func cancelIsNotFailure(
    on screen: String, _ part: String? = nil, failed: Trace.Value = "failed"
  ) -> Invariant {
    Invariant("cancel-is-not-failure", "A cancel is not shown as a failure.", diagnosis: .cancelAsFailure) {
      CancelIsNotFailure(screen: screen, part: part, failed: failed)
    }
  }
}

private struct CancelIsNotFailure: Invariant.Monitor {
  let screen: String
  let part: String?
  let failed: Trace.Value
  private var failures = 0
  private var shown = 0
  /// The status that the screen showed before its present one.
  private var before: Trace.Value?
  private(set) var judged = false

  init(screen: String, part: String?, failed: Trace.Value) {
    self.screen = screen
    self.part = part
    self.failed = failed
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .ended(_, .threw): failures += 1
    case .ended(_, .returned(let answer)):
      if case .int(400...)? = answer["status"] { failures += 1 }
    case .cancelled, .cancellation: judged = true
    case .changed(screen, let from, let to):
      let (old, new) = (status(from), status(to))
      guard old != new else { return nil }
      defer { before = old }
      return new == failed && before != failed ? failureShown(to) : nil
    default: break
    }
    return nil
  }

  private func status(_ value: Trace.Value) -> Trace.Value { part.flatMap { value[$0] } ?? value }

  private mutating func failureShown(_ value: Trace.Value) -> String? {
    shown += 1
    guard shown > failures, judged else { return nil }
    return "\(screen) shows a failure (\(value)), but nothing has failed: it was cancelled"
  }
}
