private protocol Service {
  func renewed(_ session: String) async throws -> String
}

private protocol Keychain {
  func save(_ session: String) async throws
}

private func renew(_ session: String, _ service: some Service, _ keychain: some Keychain) async throws {
  // example
}
