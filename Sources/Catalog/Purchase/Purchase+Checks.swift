import Simulator

extension Invariant {
  /// Who pays gets a receipt if the order is in `ledger`, and `alreadyPaid` if it had been paid for before. No one gets
  /// either for nothing.
  ///
  /// - Parameter ledger: The orders that have been paid for, a list of those that the `order` of an action stands for.
  static func secondPayerIsRefused(in ledger: String) -> Invariant {
    Invariant(
      "second-payer-is-refused", "Who pays for what is paid gets `alreadyPaid`, and no one else does.",
      diagnosis: .leftState
    ) { SecondPayerIsRefused(ledger: ledger) }
  }
}

private struct SecondPayerIsRefused: Invariant.Monitor {
  let ledger: String
  private var entries: [Trace.Value] = []
  /// The orders that someone has a receipt for.
  private var paid: Set<Trace.Value> = []
  /// Those who began to pay when the order had been paid for.
  private var late: Set<Trace.Action> = []
  private(set) var judged = false

  init(ledger: String) {
    self.ledger = ledger
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .changed(ledger, _, .list(let now)): entries = now
    case .actionBegan(let action):
      guard let order = order(of: action), paid.contains(order) else { return nil }
      late.insert(action)
    case .actionEnded(let action, let outcome):
      guard let order = order(of: action) else { return nil }
      return ended(action, outcome, order)
    default: break
    }
    return nil
  }

  private mutating func ended(_ action: Trace.Action, _ outcome: Trace.Outcome, _ order: Trace.Value)
    -> String?
  {
    let isLate = late.remove(action) != nil
    switch outcome {
    case .returned:
      judged = true
      paid.insert(order)
      if !entries.contains(order) { return "\(action.label) got a receipt, and \(order) is not in \(ledger)" }
      return isLate ? "\(action.label) got a receipt, and \(order) had been paid for before" : nil
    case .threw(let error) where error.hasPrefix("alreadyPaid"):
      judged = true
      return entries.contains(order)
        ? nil : "\(action.label) threw \(error), and \(order) is not in \(ledger)"
    case .threw, .cancelled: return nil
    }
  }

  private func order(of action: Trace.Action) -> Trace.Value? {
    guard case .int(let number)? = action.arguments["order"] else { return nil }
    return Order(number: Int(number)).shown
  }
}
