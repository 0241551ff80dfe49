private protocol Network: Sendable {
  func letters() async throws -> [String]
}

private actor Inbox {
  private let network: any Network
  private var letters: [String] = []
  init(network: any Network) { self.network = network }

  // example
}
