/// What the bank says about an account.
struct Statement: Hashable, Sendable {
  let account: Int
  let balance: Int
}

/// What a request carries to show who asks, and until when it does.
struct BankToken: Hashable, Sendable {
  let text: String
  let expires: ContinuousClock.Instant

  var isExpired: Bool { expires <= .now }
}

/// The bank does not take the token, or takes it no more.
struct Unauthorised: Error {}

/// Where all screens ask.
protocol BankClient: Actor {
  func statement(of account: Int) async throws -> Statement
}

// MARK: - Seams

protocol Bank: Sendable {
  /// Throws ``Unauthorised`` when the token has expired by the time it gets there.
  func statement(of account: Int, signature: String, token: BankToken) async throws -> Statement
}

protocol BankTokens: Sendable {
  func fresh() async throws -> BankToken
}

protocol RequestSigner: Sendable {
  /// Signs on the device; the user may have to show their face.
  func signature(for account: Int) async throws -> String
}
