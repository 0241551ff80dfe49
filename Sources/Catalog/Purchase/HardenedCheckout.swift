import Foundation

/// One charge at a time for an order, which all who tap meanwhile share, and one key for all its charges: one
/// whose answer was lost is not made again.
actor HardenedCheckout: Checkout {
  private var receipts: [Order: Receipt] = [:]
  private var charges: [Order: Task<Receipt, any Error>] = [:]
  private var keys: [Order: UUID] = [:]
  private let payments: any PaymentService

  init(payments: any PaymentService) {
    self.payments = payments
  }

  func pay(for order: Order) async throws -> Receipt {
    // undone: if let receipt = receipts[order] { return receipt }
    if let receipt = receipts[order] { throw CheckoutError.alreadyPaid(receipt) }  // guard: already-paid
    try Task.checkCancellation()
    if let charge = charges[order] { return try await charge.value }  // guard: one-charge
    let key = keys[order] ?? UUID()  // guard: one-key => let key = UUID()
    keys[order] = key
    let charge = Task { try await payments.charge(for: order, key: key) }
    charges[order] = charge
    defer { charges[order] = nil }
    let receipt = try await charge.value
    receipts[order] = receipt
    return receipt
  }
}

// Not guards: looking for a cancel before a charge is made; the record of charges and keys, which the guards read; forgetting a charge that is over lets an
// order be paid again after a refusal, which no scenario asks for.
