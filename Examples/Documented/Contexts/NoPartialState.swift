private protocol Network: Sendable {
  func inbox() async throws -> [String]
}

private actor Inbox {
  private let network: any Network
  private var letters: [String] = []
  init(network: any Network) { self.network = network }
  nonisolated private func decode(_ envelope: String) async -> String { envelope }

  func refresh() async throws {
    // example
  }
}
