/// Who is logged in.
struct ClinicSession: Hashable, Sendable {
  let token: String
}

/// What the doctor has found.
struct Finding: Hashable, Sendable {
  let text: String
}

/// The part of the app that knows who is logged in.
protocol ClinicClient: Actor {
  var session: ClinicSession? { get }
  var findings: [Finding] { get }
  /// Renews the session and fetches the findings, in the background.
  func sync() async throws
  func logOut() async throws
}

/// There is no session.
struct LoggedOut: Error {}

// MARK: - Seams

protocol ClinicService: Sendable {
  func renewed(_ session: ClinicSession) async throws -> ClinicSession
  func findings(_ session: ClinicSession) async throws -> [Finding]
}

protocol ClinicKeychain: Sendable {
  func save(_ session: ClinicSession) async throws
  func deleteSession() async throws
}
