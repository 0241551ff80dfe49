private protocol Network {
  func profile() async throws -> String
}

private protocol Store {
  func save(_ profile: String) async throws
}

private func load(_ network: some Network, _ store: some Store) async throws {
  // example
}
