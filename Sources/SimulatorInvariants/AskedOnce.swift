public import SimulatorCore

extension Invariant {
  /// A request that has succeeded is not made again.
  ///
  /// The fault: the program does not keep the answer, or does not look it up.
  ///
  /// ```swift
  /// if let receipt = receipts[order] { return receipt }
  /// return try await payments.charge(order)      // and the receipt is kept nowhere
  /// ```
  ///
  /// Two requests are the same if their operation and detail are equal. For requests that are on the wire at the same
  /// time, see ``singleFlight(_:)``.
  ///
  /// - Parameter operations: The operations whose answers stay valid.
  public static func askedOnce(_ operations: String...) -> Invariant {
    Invariant(
      "asked-once", "What has succeeded is not asked for again.", diagnosis: .repeatedEffect
    ) {
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
