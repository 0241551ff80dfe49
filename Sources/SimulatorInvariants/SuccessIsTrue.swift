public import SimulatorCore

extension Invariant {
  /// The screen reports success only if the call that does its work has succeeded.
  ///
  /// The fault: the screen is set before the work is done, or the work is omitted.
  ///
  /// ```swift
  /// screen = .saved
  /// try await store.save(note)
  /// ```
  ///
  /// The rule counts: each time that the screen begins to show success, one more call must have returned. If something
  /// was canceled, the screen may go back to the success that it showed before, and is not judged. An answer that is a
  /// record whose `status` is 400 or above is not a success.
  ///
  /// - Parameters:
  ///   - screen: The observed value.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - unsuccessful: The values that it shows before there is success, or without it. An empty list or text, or
  ///     nothing, is not a success.
  ///   - operation: The operation that does the work.
  public static func successIsTrue(
    on screen: String, _ part: String? = nil, not unsuccessful: [Trace.Value] = [], by operation: String
  ) -> Invariant {
    Invariant("success-is-true", "The screen shows success only where the work is done.") {
      SuccessIsTrue(
        screen: screen, part: part, unsuccessful: unsuccessful + [.none, .list([]), .text("")],
        operation: operation)
    }
  }
}

private struct SuccessIsTrue: Invariant.Monitor {
  let screen: String
  let part: String?
  let unsuccessful: [Trace.Value]
  let operation: String
  private var done = 0
  private var told = 0
  private var isExcused = false

  init(screen: String, part: String?, unsuccessful: [Trace.Value], operation: String) {
    self.screen = screen
    self.part = part
    self.unsuccessful = unsuccessful
    self.operation = operation
  }

  var judged: Bool { told > 0 }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .ended(let call, .returned(let answer)) where call.operation == operation && !answer.isRefusal:
      done += 1
    case .cancelled: isExcused = true
    case .changed(screen, let from, let to) where from != .none && !isSuccess(from) && isSuccess(to):
      told += 1
      guard told > done, !isExcused else { return nil }
      return "at \(event.time) \(screen) shows success (\(to)), and \(operation) had succeeded \(done) times"
    default: break
    }
    return nil
  }

  private func isSuccess(_ value: Trace.Value) -> Bool {
    !unsuccessful.contains(part.flatMap { value[$0] } ?? value)
  }
}
