import Foundation

/// Checks, awaits the charge, and then remembers: an article's `pay`, with a charge in it. A second tap passes the check while the first is being charged.
actor NaiveCheckout: Checkout {
  private var receipts: [Order: Receipt] = [:]
  private let payments: any PaymentService

  init(payments: any PaymentService) {
    self.payments = payments
  }

  func pay(for order: Order) async throws -> Receipt {
    if let receipt = receipts[order] { throw CheckoutError.alreadyPaid(receipt) }
    let receipt = try await payments.charge(for: order, key: UUID())
    receipts[order] = receipt
    return receipt
  }
}
