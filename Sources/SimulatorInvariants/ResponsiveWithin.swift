public import SimulatorCore

extension Invariant {
  /// The effect of a user's action shows within `bound` of virtual time.
  ///
  /// The race: actions wait in one line with the slow work that others have requested.
  ///
  /// ```swift
  /// for await action in actions {
  ///   for await outcome in effects(of: action) { apply(outcome) }   // the next letter waits for the reply
  /// }
  /// ```
  ///
  /// An action shows when the screen changes after the action began; one change may show several. Each action must
  /// change something on the screen: do not use this for one that leaves the screen as it was. Once the user has left,
  /// nothing is owed.
  ///
  /// - Parameters:
  ///   - action: The action's name.
  ///   - screen: The observed value that it changes.
  ///   - part: The part of the screen that is judged, if it is a record.
  ///   - bound: The time that it may take to show.
  public static func responsive(
    to action: String, on screen: String, _ part: String? = nil, within bound: Duration
  ) -> Invariant {
    Invariant.refuseNegative(bound, "responsive-within")
    return Invariant(
      "responsive-within", "What the user does shows within the bound.", diagnosis: .shownTooLate
    ) {
      ResponsiveWithin(action: action, screen: screen, part: part, bound: bound)
    }
  }
}

private struct ResponsiveWithin: Invariant.Monitor {
  let action: String
  let screen: String
  let part: String?
  let bound: Duration
  /// The first action that does not show yet.
  private var owed: (label: String, since: VirtualInstant)?
  private var hasLeft = false
  private(set) var judged = false

  init(action: String, screen: String, part: String?, bound: Duration) {
    self.action = action
    self.screen = screen
    self.part = part
    self.bound = bound
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    if let problem = late(at: event.time) { return problem }
    switch event.kind {
    case .actionBegan(let began) where began.name == action && !hasLeft:
      judged = true
      owed = owed ?? (began.label, event.time)
    case .changed(screen, let from, let to) where shown(from) != shown(to): owed = nil
    case .dismissed:
      hasLeft = true
      owed = nil
    default: break
    }
    return nil
  }

  mutating func cutOff(_ end: VirtualInstant) -> String? { atRest(end) }

  mutating func atRest(_ end: VirtualInstant) -> String? { late(at: end) }

  private func late(at time: VirtualInstant) -> String? {
    guard let owed, owed.since.duration(to: time) > bound else { return nil }
    let delay = owed.since.duration(to: time).shortText
    return
      "\(owed.label) began at \(owed.since), and \(delay) later (\(time)) \(screen) did not show it, not within "
      + bound.shortText
  }

  private func shown(_ value: Trace.Value) -> Trace.Value { part.flatMap { value[$0] } ?? value }
}
