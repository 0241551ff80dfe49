import Simulator

extension FakeNetwork: ClinicService {
  /// The n-th renewal gets the n-th token.
  nonisolated func renewed(_ session: ClinicSession) async throws -> ClinicSession {
    try await exchange("POST /session", .text(session.token), showing: { .text($0.token) }) { request in
      ClinicSession(token: "token \(request.number)")
    }
  }

  nonisolated func findings(_ session: ClinicSession) async throws -> [Finding] {
    try await exchange("GET /findings", .text(session.token), showing: \.shown) { _ in
      [Finding(text: "blood count")]
    }
  }
}

extension FakeStore: ClinicKeychain {
  nonisolated func save(_ session: ClinicSession) async throws {
    try await write(session, for: "session")
  }

  nonisolated func deleteSession() async throws {
    try await transaction([.remove("session")])
  }
}

extension ClinicSession? {
  var shown: Trace.Value { map { .text($0.token) } ?? .none }
}

extension [Finding] {
  var shown: Trace.Value { isEmpty ? .none : .list(map { .text($0.text) }) }
}
