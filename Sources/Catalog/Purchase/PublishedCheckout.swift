import Foundation

/// Keeps the charge in flight for the next tap. When its answer is lost, the next tap charges again.
actor PublishedCheckout: Checkout {
  private var receipts: [Order: Receipt] = [:]
  private var charges: [Order: Task<Receipt, any Error>] = [:]
  private let payments: any PaymentService

  init(payments: any PaymentService) {
    self.payments = payments
  }

  func pay(for order: Order) async throws -> Receipt {
    if let receipt = receipts[order] { throw CheckoutError.alreadyPaid(receipt) }
    if let charge = charges[order] { return try await charge.value }
    let charge = Task { try await payments.charge(for: order, key: UUID()) }
    charges[order] = charge
    defer { charges[order] = nil }
    let receipt = try await charge.value
    receipts[order] = receipt
    return receipt
  }
}
