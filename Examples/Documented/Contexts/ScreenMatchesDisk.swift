private protocol Network: Sendable {
  func items() async throws -> [String]
}

private protocol Store: Sendable {
  func save(_ items: [String]) async throws
}

private actor Screen {
  private let network: any Network
  private let store: any Store
  private var items: [String] = []
  init(network: any Network, store: any Store) { (self.network, self.store) = (network, store) }

  func refresh() async throws {
    // example
  }
}
