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

/// The actions under way that do not load what a screen shows: calls that begin meanwhile may be theirs. O(1) an event.
struct ForeignActions {
  /// The actions that load; none if all do.
  let loading: [String]
  private var underWay: Set<String> = []

  init(beside loading: [String]) {
    self.loading = loading
  }

  var isEmpty: Bool { underWay.isEmpty }

  /// Returns true if it is an action that loads.
  func loads(_ action: Trace.Action) -> Bool { loading.isEmpty || loading.contains(action.name) }

  mutating func saw(_ event: Trace.Event) {
    switch event.kind {
    case .actionBegan(let action) where !loads(action):
      underWay.insert(action.label)
    case .actionEnded(let action, _): underWay.remove(action.label)
    default: break
    }
  }
}
