import Simulator

/// A bank that looks at tokens.
struct FakeBank: Bank, SimulatedFake {
  let network: FakeNetwork
  let tokens: FakeTokenService

  func statement(of account: Int, signature: String, token: BankToken) async throws -> Statement {
    try await network.exchange(
      "GET /statement", tokens.traceValue(of: token.text), showing: { .text("\($0.account): \($0.balance)") }
    ) { [tokens] _ in
      guard tokens.accepts(token.text) else { throw Unauthorised() }
      return Statement(account: account, balance: 100 * account)
    }
  }
}

extension FakeTokenService: BankTokens {
  nonisolated func fresh() async throws -> BankToken { BankToken(try await refresh()) }
}

extension FakeNetwork: RequestSigner {
  nonisolated func signature(for account: Int) async throws -> String {
    try await exchange("sign", .int(account)) { _ in "signature of \(account)" }
  }
}

extension BankToken {
  init(_ token: FakeTokenService.Token) {
    self.init(text: token.text, expires: token.expires)
  }
}
