extension Invariant {
  /// What has succeeded is not asked for again.
  ///
  /// The fault: the answer is not kept, or not looked for.
  ///
  /// ```swift
  /// if let receipt = receipts[order] { return receipt }
  /// return try await payments.charge(order)      // and the receipt is kept nowhere
  /// ```
  ///
  /// Requests are the same when operation and detail are. Of those that were on the wire together see
  /// ``singleFlight(_:)``.
  ///
  /// - Parameter operations: The operations whose answers stay good.
  public static func askedOnce(_ operations: String...) -> Invariant {
    Invariant("asked-once", "What has succeeded is not asked for again.") {
      AskedOnce(operations: operations)
    }
  }
}

private struct AskedOnce: Invariant.Monitor {
  private struct Request: Hashable {
    let operation: String
    let detail: Trace.Value

    init(_ call: Trace.Call) { (operation, detail) = (call.operation, call.detail) }
  }

  let operations: [String]
  private var answered: [Request: VirtualInstant] = [:]

  init(operations: [String]) {
    self.operations = operations
  }

  var judged: Bool { !answered.isEmpty }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .began(let call) where operations.contains(call.operation):
      guard let time = answered[Request(call)] else { return nil }
      return "at \(event.time) \(call.operation) \(call.detail) was sent, which had been answered at \(time)"
    case .ended(let call, .returned(let answer))
    where operations.contains(call.operation) && !answer.isRefusal:
      answered[Request(call)] = event.time
    default: break
    }
    return nil
  }
}
