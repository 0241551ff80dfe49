/// Who is logged in.
struct BankSession: Hashable, Sendable {
  let token: String
}

/// What has come in or gone out.
struct BankTransfer: Hashable, Sendable {
  let text: String
}

/// The part of the app that knows who is logged in.
protocol AccountClient: Actor {
  var session: BankSession? { get }
  var transfers: [BankTransfer] { get }
  /// Renews the session and fetches the transfers, in the background.
  func sync() async throws
  func logOut() async throws
}

/// There is no session.
struct LoggedOut: Error {}

// MARK: - Seams

protocol BankService: Sendable {
  func renewed(_ session: BankSession) async throws -> BankSession
  func transfers(_ session: BankSession) async throws -> [BankTransfer]
}

protocol BankKeychain: Sendable {
  func save(_ session: BankSession) async throws
  func deleteSession() async throws
}
