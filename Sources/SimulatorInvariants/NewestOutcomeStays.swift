public import SimulatorCore

extension Invariant {
  /// When the newest load has succeeded, and the screen shows it, nothing that is older takes it away.
  ///
  /// The race: two loads overlap, and the older one fails last, or is canceled.
  ///
  /// A load counts as succeeded if its action has returned, and one of the calls that it needs has begun and succeeded meanwhile.
  /// Nothing is owed once another action has begun, or the user has left. O(1) an event.
  ///
  /// - Parameters:
  ///   - operations: The operations that a load needs, any of them.
  ///   - actions: The actions that load; none for all of them.
  ///   - screen: The observed value.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - unsuccessful: The values that it shows without success.
  public static func newestOutcomeStays(
    of operations: String..., by actions: [String] = [], on screen: String, _ part: String? = nil,
    not unsuccessful: [Trace.Value]
  ) -> Invariant {
    newestOutcomeStays(ofAny: operations, by: actions, on: screen, part, not: unsuccessful)
  }

  package static func newestOutcomeStays(
    ofAny operations: [String], by actions: [String], on screen: String, _ part: String?,
    not unsuccessful: [Trace.Value]
  ) -> Invariant {
    Invariant(
      "newest-outcome-stays", "What the newest load has brought is not taken away by an older one.",
      diagnosis: .staleOverNewer
    ) {
      NewestOutcomeStays(
        operations: operations, actions: actions, screen: screen, part: part,
        unsuccessful: unsuccessful + [.none, .list([]), .text("")])
    }
  }
}

private struct NewestOutcomeStays: Invariant.Monitor {
  let operations: [String]
  let actions: [String]
  let screen: String
  let part: String?
  let unsuccessful: [Trace.Value]
  private var shown = Trace.Value.none
  /// The load that began last, until it is cancelled or fails.
  private var newest: Trace.Action?
  /// The calls that have begun since.
  private var calls: Set<Int> = []
  private var hasAnswer = false
  /// The step in which it returned.
  private var returned: Int?
  private(set) var judged = false

  init(
    operations: [String], actions: [String], screen: String, part: String?, unsuccessful: [Trace.Value]
  ) {
    (self.operations, self.actions) = (operations, actions)
    (self.screen, self.part, self.unsuccessful) = (screen, part, unsuccessful)
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .actionBegan(let action):
      let loads = actions.isEmpty || actions.contains(action.name)
      (newest, calls, hasAnswer, returned) = (loads ? action : nil, [], false, nil)
    case .actionEnded(newest, .returned) where hasAnswer:
      returned = event.step
      judged = true
    case .actionEnded(newest, _), .cancelled(newest): newest = nil
    case .dismissed, .relaunched: newest = nil
    case .began(let call) where operations.contains(call.operation): calls.insert(call.id)
    case .ended(let call, .returned(let answer)) where calls.contains(call.id) && !answer.isRefusal:
      hasAnswer = true
    case .changed(screen, let from, let to): return changed(status(from), status(to), event)
    default: break
    }
    return nil
  }

  private func status(_ value: Trace.Value) -> Trace.Value { part.flatMap { value[$0] } ?? value }

  private mutating func changed(_ from: Trace.Value, _ to: Trace.Value, _ event: Trace.Event) -> String? {
    shown = to
    guard let newest, let returned, returned < event.step, !unsuccessful.contains(from) else {
      return nil
    }
    guard unsuccessful.contains(to) else { return nil }
    return
      "at \(event.time) \(screen) went from \(from) to \(to), and \(newest.label), which has brought \(from), is the newest"
  }
}
