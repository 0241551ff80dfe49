private protocol Tokens {
  func valid() async throws -> String
}

private protocol Signer {
  func sign(_ request: String) async throws -> String
}

private protocol Transport {
  func send(_ request: String, _ signature: String, _ token: String) async throws -> String
}

private func send(
  _ request: String, _ tokens: some Tokens, _ signer: some Signer, _ transport: some Transport
) async throws -> String {
  // example
}
