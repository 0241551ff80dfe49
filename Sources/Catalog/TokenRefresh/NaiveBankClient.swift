/// Whoever finds the token expired, or has it refused, gets a new one. It was good when it was looked at.
actor NaiveBankClient: BankClient {
  private var token: BankToken
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
    if token.isExpired { token = try await tokens.fresh() }
    let signature = try await signer.signature(for: account)
    do {
      return try await bank.statement(of: account, signature: signature, token: token)
    } catch is Unauthorised {
      token = try await tokens.fresh()
      return try await bank.statement(of: account, signature: signature, token: token)
    }
  }
}
