public actor Account {
  public private(set) var balance = 100
  private let audit: @Sendable (Int) async throws -> Void

  public init(audit: @escaping @Sendable (Int) async throws -> Void) { self.audit = audit }

  public func withdraw(_ amount: Int) async throws {
    guard balance >= amount else { return }
    try await audit(amount)
    balance -= amount
  }
}
