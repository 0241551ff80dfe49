import Foundation
import Simulator
import Synchronization

/// The payment provider behind a network that may lose its answers.
final class FakePayments: PaymentService, SimulatedFake {
  private struct Charge {
    let order: Order
    /// Nil where the customer's credit was taken.
    let key: UUID?
  }

  private let network: FakeNetwork
  /// A lock, since the provider's side runs in one step of the network's.
  private let charges = Mutex<[Charge]>([])

  init(network: FakeNetwork) {
    self.network = network
  }

  /// The orders that have been charged for.
  var ledger: [Order] { charges.withLock { $0.map(\.order) } }

  func charge(for order: Order, key: UUID) async throws -> Receipt {
    try await network.exchange("POST /charge", order.shown, showing: \.shown) { [self] _ in
      charges.withLock { charges in
        if let known = charges.firstIndex(where: { $0.key == key }) { return Receipt(number: known + 1) }
        charges.append(Charge(order: order, key: key))
        return Receipt(number: charges.count)
      }
    }
  }

  func takeCredit(for order: Order) -> Receipt {
    charges.withLock { charges in
      charges.append(Charge(order: order, key: nil))
      return Receipt(number: charges.count)
    }
  }
}

extension Order {
  var shown: Trace.Value { .text("order \(number)") }
}

extension Receipt {
  var shown: Trace.Value { .text("receipt \(number)") }
}

extension OrderPage {
  var shown: Trace.Value {
    switch self {
    case .open: "open"
    case .paying: "paying"
    case .paid(let receipt): receipt.shown
    case .failed: "failed"
    }
  }
}
