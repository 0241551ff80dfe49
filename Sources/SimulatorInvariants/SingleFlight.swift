public import SimulatorCore

extension Invariant {
  /// The same request is never on the wire twice at once.
  ///
  /// The race: two screens ask for the same thing, each finds nothing under way, and both send.
  ///
  /// Two requests are the same if their fake, operation and detail are equal. A request whose requester was canceled
  /// has been given up and does not count, even while the network still works on it.
  ///
  /// - Parameter operations: The operations that are judged, such as `GET /playlist`.
  public static func singleFlight(_ operations: String...) -> Invariant {
    Invariant(
      "single-flight", "The same request is never on the wire twice at once.", diagnosis: .duplicateRequest
    ) {
      SingleFlight(operations: operations)
    }
  }
}

private struct SingleFlight: Invariant.Monitor {
  private struct Request: Hashable {
    let fake: String
    let operation: String
    let detail: Trace.Value
  }

  let operations: [String]
  private var flying: [Request: Int] = [:]
  private(set) var judged = false

  init(operations: [String]) {
    self.operations = operations
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .began(let call) where operations.contains(call.operation) && !call.requesterWasCancelled:
      return began(call, event)
    case .cancellation(let call, _), .ended(let call, _): land(call)
    default: break
    }
    return nil
  }

  private mutating func began(_ call: Trace.Call, _ event: Trace.Event) -> String? {
    judged = true
    let request = Request(fake: call.fake, operation: call.operation, detail: call.detail)
    defer { flying[request] = call.id }
    guard flying[request] != nil else { return nil }
    return "at \(event.time) \(call.operation) was sent while the same request was still on the wire"
  }

  private mutating func land(_ call: Trace.Call) {
    let request = Request(fake: call.fake, operation: call.operation, detail: call.detail)
    if flying[request] == call.id { flying[request] = nil }
  }
}
