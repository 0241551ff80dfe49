/// The shop's server.
public protocol Shop: Sendable {
  /// Charges an order; one that comes again with the same key is not charged again.
  func pay(_ order: Int, key: String?) async throws
}

/// The orders that are not paid yet, on the disk.
public protocol OrderDisk: Sendable {
  func orders() async throws -> [Int]
  func keep(_ order: Int) async throws
  func forget(_ order: Int) async throws
}

/// Pays orders, at once or when the app comes back.
public protocol Outbox: Sendable {
  func pay(_ order: Int) async throws
  func comeBack() async throws
}

/// Forgets an order, and then pays it.
public actor FirstOutbox: Outbox {
  private let shop: any Shop
  private let disk: any OrderDisk

  public init(shop: any Shop, disk: any OrderDisk) {
    self.shop = shop
    self.disk = disk
  }

  public func pay(_ order: Int) async throws {
    try await disk.keep(order)
    try await comeBack()
  }

  public func comeBack() async throws {
    for order in try await disk.orders() {
      try await disk.forget(order)
      try await shop.pay(order, key: nil)
    }
  }
}

/// Pays an order with a key of its own, and then forgets it.
public actor CarefulOutbox: Outbox {
  private let shop: any Shop
  private let disk: any OrderDisk

  public init(shop: any Shop, disk: any OrderDisk) {
    self.shop = shop
    self.disk = disk
  }

  public func pay(_ order: Int) async throws {
    try await disk.keep(order)
    try await comeBack()
  }

  public func comeBack() async throws {
    for order in try await disk.orders() {
      try await shop.pay(order, key: "order \(order)")
      try await disk.forget(order)
    }
  }
}
