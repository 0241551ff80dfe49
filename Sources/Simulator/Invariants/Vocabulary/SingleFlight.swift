extension Invariant {
  /// The same request is never on the wire twice at once.
  ///
  /// The race: two screens ask for the same thing, each finds nothing under way, and both send.
  ///
  /// Requests are the same when operation and detail are. One whose requester was cancelled has been given up and
  /// does not count, even while the network still works on it.
  ///
  /// - Parameters:
  ///   - fake: The network.
  ///   - operation: The operation; nil for every one of the fake's.
  public static func singleFlight(on fake: String = "network", _ operation: String? = nil) -> Invariant {
    Invariant("single-flight", "The same request is never on the wire twice at once.") {
      SingleFlight(fake: fake, operation: operation)
    }
  }
}

private struct SingleFlight: Judge {
  private struct Request: Hashable {
    let operation: String
    let detail: Value
  }

  let fake: String
  let operation: String?
  private var flying: [Request: Int] = [:]
  private(set) var judged = false

  init(fake: String, operation: String?) {
    self.fake = fake
    self.operation = operation
  }

  mutating func saw(_ event: Event) -> String? {
    switch event.kind {
    case .began(let call) where concerns(call) && !call.requesterWasCancelled: return began(call, event)
    case .cancellation(let call, _), .ended(let call, _): land(call)
    default: break
    }
    return nil
  }

  private func concerns(_ call: Call) -> Bool {
    call.fake == fake && (operation == nil || call.operation == operation)
  }

  private mutating func began(_ call: Call, _ event: Event) -> String? {
    judged = true
    let request = Request(operation: call.operation, detail: call.detail)
    defer { flying[request] = call.id }
    guard flying[request] != nil else { return nil }
    return "at \(event.time) \(call.operation) was sent while the same request was still on the wire"
  }

  private mutating func land(_ call: Call) {
    let request = Request(operation: call.operation, detail: call.detail)
    if flying[request] == call.id { flying[request] = nil }
  }
}
