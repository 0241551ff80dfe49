/// Checks, pays and remembers without a wait between: an article's `pay` as it is there. Nothing runs on the actor in the
/// middle of it.
actor AtOnceCheckout: Checkout {
  private var receipts: [Order: Receipt] = [:]
  private let payments: any PaymentService

  init(payments: any PaymentService) {
    self.payments = payments
  }

  func pay(for order: Order) throws -> Receipt {
    if let receipt = receipts[order] { throw CheckoutError.alreadyPaid(receipt) }
    let receipt = payments.takeCredit(for: order)
    receipts[order] = receipt
    return receipt
  }
}
