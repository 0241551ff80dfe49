public import SimulatorCore

extension Invariant {
  /// No entry appears in the ledger twice: what has been done is not done again.
  ///
  /// The race: two taps both find the order unpaid; or the answer to a charge is lost, and the charge is retried.
  ///
  /// ```swift
  /// if let receipt = receipts[order] { return receipt }
  /// receipts[order] = try await payments.charge(order)   // and the second tap has passed the line above
  /// ```
  ///
  /// The ledger is the record of the other side: a list with an entry for each thing done. Only there can a request
  /// that took effect although its answer was lost be distinguished from one that did not. O(entries) whenever the
  /// ledger changes.
  ///
  /// - Parameters:
  ///   - ledger: The observed value, a list. Two equal entries mean that the same thing was done again.
  ///   - operation: The operation that makes the entries: `POST /charge`.
  public static func atMostOnce(in ledger: String, by operation: String) -> Invariant {
    Invariant("at-most-once", "What has been done is not done a second time.") {
      AtMostOnce(ledger: ledger, operation: operation)
    }
  }
}

private struct AtMostOnce: Invariant.Monitor {
  /// The time that a call was on the wire, counted in events.
  private struct Flight {
    let began: Int
    var ended = Int.max
  }

  let ledger: String
  let operation: String
  private var events = 0
  private var flights: [Int: Flight] = [:]
  /// The call that last took effect or ended, and the step in which it did.
  private var last: (call: Int, step: Int)?
  /// The call that made each entry, if it is known.
  private var makers: [Trace.Value: Int] = [:]
  private var entries: Set<Trace.Value> = []
  private(set) var diagnosis: Invariant.Diagnosis?

  init(ledger: String, operation: String) {
    self.ledger = ledger
    self.operation = operation
  }

  var judged: Bool { !entries.isEmpty }

  mutating func saw(_ event: Trace.Event) -> String? {
    events += 1
    switch event.kind {
    case .began(let call) where call.operation == operation: flights[call.id] = Flight(began: events)
    case .ended(let call, _) where call.operation == operation:
      flights[call.id]?.ended = events
      last = (call.id, event.step)
    case .effect(let call, _) where call.operation == operation: last = (call.id, event.step)
    case .changed(ledger, _, let to): return changed(to, event)
    default: break
    }
    return nil
  }

  private mutating func changed(_ value: Trace.Value, _ event: Trace.Event) -> String? {
    let maker = last.flatMap { $0.step == event.step ? $0.call : nil }
    var seen: Set<Trace.Value> = []
    for entry in value.elements ?? [] {
      guard seen.insert(entry).inserted else {
        diagnosis = whatHappened(makers[entry], maker)
        return "at \(event.time) \(ledger) has \(entry) twice: \(value)"
      }
      if entries.insert(entry).inserted { makers[entry] = maker }
    }
    return nil
  }

  private func whatHappened(_ first: Int?, _ second: Int?) -> Invariant.Diagnosis? {
    // This is one request, which the network delivered twice.
    if let first, first == second { return .repeatedEffect }
    guard let first = first.flatMap({ flights[$0] }), let second = second.flatMap({ flights[$0] }) else {
      return nil
    }
    return second.began < first.ended ? .duplicateRequest : .repeatedEffect
  }
}
