internal import SimulatorCore

/// The calls that are under way and have not been canceled. O(1) an event.
struct CallsOnTheWire {
  let operations: [String]
  private var calls: [Int: (call: Trace.Call, since: VirtualInstant)] = [:]

  init(_ operations: [String]) {
    self.operations = operations
  }

  /// Returns the oldest of the calls that `match`, and when it began. O(calls under way).
  func first(where match: (Trace.Call) -> Bool = { _ in true }) -> (call: Trace.Call, since: VirtualInstant)?
  {
    calls.values.filter { match($0.call) }.min { $0.call.id < $1.call.id }
  }

  mutating func saw(_ event: Trace.Event) {
    switch event.kind {
    case .began(let call) where operations.contains(call.operation) && !call.requesterWasCancelled:
      calls[call.id] = (call, event.time)
    case .cancellation(let call, _), .ended(let call, _): calls[call.id] = nil
    default: break
    }
  }
}
