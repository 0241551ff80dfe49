private protocol Payments: Sendable {
  func charge(_ order: String) async throws -> String
}

private actor Checkout {
  private let payments: any Payments
  private var receipts: [String: String] = [:]
  init(payments: any Payments) { self.payments = payments }

  func charge(_ order: String) async throws -> String? {
    // example
    return receipts[order]
  }
}
