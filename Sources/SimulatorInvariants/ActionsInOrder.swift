public import SimulatorCore

extension Invariant {
  /// Actions take effect in the order in which they are sent: the screen never goes back to the result of an earlier
  /// one.
  ///
  /// The race: each action is handled in its own task, and the tasks overtake one another.
  ///
  /// ```swift
  /// nonisolated func send(_ action: Action) {
  ///   Task { await handle(action) }   // "su" is sent after "s", and "s" is handled after "su"
  /// }
  /// ```
  ///
  /// Each value that `sent` takes is an action, in the order in which it takes them. The screen must show them in that
  /// order, but may leave some out. A value that recurs counts as the latest of its kind; a value that was never sent
  /// is not judged. Observe `sent` before the screen.
  ///
  /// - Parameters:
  ///   - sent: The observed value that holds what the user requested: the text of a field, the position of a slider.
  ///   - screen: The observed value that follows it.
  ///   - part: The part of the screen that is judged, if it is a record.
  public static func actionsInOrder(_ sent: String, on screen: String, _ part: String? = nil) -> Invariant {
    Invariant(
      "actions-in-order", "Actions take effect in the order in which they were sent.", diagnosis: .outOfOrder
    ) {
      ActionsInOrder(sent: sent, screen: screen, part: part)
    }
  }
}

private struct ActionsInOrder: Invariant.Monitor {
  let sent: String
  let screen: String
  let part: String?
  private var numbers: [Trace.Value: Int] = [:]
  private var sentSoFar = 0
  private var shown: (number: Int, value: Trace.Value)?
  private(set) var judged = false

  init(sent: String, screen: String, part: String?) {
    self.sent = sent
    self.screen = screen
    self.part = part
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(let name, _, let to) = event.kind else { return nil }
    if name == sent {
      sentSoFar += 1
      numbers[to] = sentSoFar
    }
    return name == screen ? showed(part.flatMap { to[$0] } ?? to) : nil
  }

  private mutating func showed(_ value: Trace.Value) -> String? {
    guard let number = numbers[value] else { return nil }
    defer { shown = (number, value) }
    guard let shown, number != shown.number else { return nil }
    judged = true
    guard number < shown.number else { return nil }
    return "\(screen) showed \(shown.value) and went back to \(value), which was sent before it"
  }
}
