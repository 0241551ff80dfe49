/// One refresh for all who need it, and only of the token that is still in use. Nothing is awaited between
/// the look at a token and its use.
actor HardenedBankClient: BankClient {
  private var token: BankToken
  private var refreshing: Task<Void, any Error>?
  private let bank: any Bank
  private let tokens: any BankTokens
  private let signer: any RequestSigner

  init(token: BankToken, bank: any Bank, tokens: any BankTokens, signer: any RequestSigner) {
    self.token = token
    self.bank = bank
    self.tokens = tokens
    self.signer = signer
  }

  func statement(of account: Int) async throws -> Statement {
    let signature = try await signer.signature(for: account)
    if token.isExpired { try await replace(token) }  // guard: check-where-used
    let used = token
    do {
      return try await bank.statement(of: account, signature: signature, token: used)
    } catch is Unauthorised {
      try await replace(used)
      return try await bank.statement(of: account, signature: signature, token: token)
    }
  }

  private func replace(_ old: BankToken) async throws {
    guard old == token || token.isExpired else { return }  // guard: refused-only-once
    if refreshing == nil { refresh() }  // guard: one-refresh => refresh()
    try await refreshing?.shared
  }

  /// The task belongs to no caller: a caller that is cancelled does not cancel the refresh for the others.
  private func refresh() {
    refreshing = Task {
      defer { refreshing = nil }  // guard: refresh-ends
      token = try await tokens.fresh()
    }
  }
}

// Not guards: the one refresh that all wait for, and trying again with what it brought.
