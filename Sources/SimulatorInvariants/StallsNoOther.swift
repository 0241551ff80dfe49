public import SimulatorCore

extension Invariant {
  /// An action waits only for what it needs: a slow part does not hold it up.
  ///
  /// The fault: everything goes through one queue, or one task, and what is on the device waits for the network.
  ///
  /// While time passes and an action is under way, one of the calls that it needs is under way too, made by this action or for
  /// another. Time that work takes is not judged, nor is an action that was canceled, nor the time in which a call goes on that
  /// was canceled and ignores that. O(actions under way) an event.
  ///
  /// - Parameter needs: By the name of an action, the operations that it may wait for. Other actions are not judged.
  public static func stallsNoOther(_ needs: [String: [String]]) -> Invariant {
    Invariant(
      "stalls-no-other", "An action waits only for what it needs.", diagnosis: .answeredTooLate
    ) {
      StallsNoOther(needs: needs)
    }
  }
}

private struct StallsNoOther: Invariant.Monitor {
  let needs: [String: [String]]
  private var actions: [(action: Trace.Action, operations: [String])] = []
  private var calls: [Int: Trace.Call] = [:]
  /// The calls under way that have ignored a cancel. Who waits for their end has done what can be done.
  private var ignoring: Set<Int> = []
  private var last = VirtualInstant.start
  /// The time until which work takes the time that passes.
  private var working = VirtualInstant.start
  private(set) var judged = false

  init(needs: [String: [String]]) {
    self.needs = needs
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    let sentence = event.time > last ? stalled(until: event.time) : nil
    last = event.time
    switch event.kind {
    case .actionBegan(let action):
      if let operations = needs[action.name] { actions.append((action, operations)) }
    case .actionEnded(let action, _), .cancelled(let action): actions.removeAll { $0.action == action }
    case .began(let call): calls[call.id] = call
    case .cancellation(let call, honored: false): ignoring.insert(call.id)
    case .ended(let call, _):
      calls[call.id] = nil
      ignoring.remove(call.id)
    case .spent(let length): working = max(working, event.time.advanced(by: length))
    default: break
    }
    return sentence
  }

  mutating func cutOff(_ end: VirtualInstant) -> String? { atRest(end) }

  mutating func atRest(_ end: VirtualInstant) -> String? { end > last ? stalled(until: end) : nil }

  private mutating func stalled(until time: VirtualInstant) -> String? {
    guard !actions.isEmpty, ignoring.isEmpty, time > working else { return nil }
    judged = true
    let open = Set(calls.values.map(\.operation))
    guard let held = actions.first(where: { open.isDisjoint(with: $0.operations) }) else { return nil }
    let others =
      open.isEmpty ? "nothing is under way" : "only \(open.sorted().joined(separator: ", ")) is under way"
    let needed = held.operations.isEmpty ? "nothing" : held.operations.joined(separator: " or ")
    return "from \(last) to \(time) \(held.action.label) waits; it needs \(needed), and \(others)"
  }
}
