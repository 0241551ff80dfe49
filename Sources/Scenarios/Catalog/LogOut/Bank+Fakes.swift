import Simulator

extension FakeNetwork: BankService {
  /// The n-th renewal gets the n-th token.
  nonisolated func renewed(_ session: BankSession) async throws -> BankSession {
    try await exchange("POST /session", .text(session.token), showing: { .text($0.token) }) { request in
      BankSession(token: "token \(request.number)")
    }
  }

  nonisolated func transfers(_ session: BankSession) async throws -> [BankTransfer] {
    try await exchange("GET /transfers", .text(session.token), showing: \.shown) { _ in
      [BankTransfer(text: "rent")]
    }
  }
}

extension FakeStore: BankKeychain {
  nonisolated func save(_ session: BankSession) async throws {
    try await write(session, for: "session")
  }

  nonisolated func deleteSession() async throws {
    try await transaction([.remove("session")])
  }
}

extension BankSession? {
  var shown: Value { map { .text($0.token) } ?? .none }
}

extension [BankTransfer] {
  var shown: Value { isEmpty ? .none : .list(map { .text($0.text) }) }
}
