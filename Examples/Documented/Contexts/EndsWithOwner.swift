private protocol Network: Sendable {
  func profile() async throws -> String
}

@MainActor private final class Screen {
  private let network: any Network
  private var profile: String?
  init(network: any Network) { self.network = network }

  // example
}
