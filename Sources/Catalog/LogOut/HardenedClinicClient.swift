/// One sync at a time. The log-out cancels it and waits for its end, since a save that is under way may not
/// listen; and it forgets nothing before the keychain has. Meanwhile no sync begins.
actor HardenedClinicClient: ClinicClient {
  private(set) var session: ClinicSession?
  private(set) var findings: [Finding] = []
  private var syncing: Task<Void, any Error>?
  /// How many log-outs are under way.
  private var logOuts = 0
  private let service: any ClinicService
  private let keychain: any ClinicKeychain

  init(_ session: ClinicSession?, service: any ClinicService, keychain: any ClinicKeychain) {
    self.session = session
    self.service = service
    self.keychain = keychain
  }

  /// Joins the sync that is under way, if there is one.
  func sync() async throws {
    guard let session, logOuts == 0 else { throw LoggedOut() }
    // undone: let task = Task { try await run(session) }
    let task = syncing ?? Task { try await run(session) }  // guard: one-sync
    syncing = task
    try await task.value
  }

  func logOut() async throws {
    logOuts += 1
    defer { logOuts -= 1 }
    syncing?.cancel()  // guard: log-out-cancels
    _ = await syncing?.result  // guard: log-out-waits
    try await keychain.deleteSession()
    session = nil
    findings = []
  }

  private func run(_ session: ClinicSession) async throws {
    defer { syncing = nil }
    let renewed = try await service.renewed(session)
    self.session = renewed
    try await keychain.save(renewed)
    findings = try await service.findings(renewed)
  }
}

// Not guards: what keeps a sync from beginning during a log-out, the record of the sync that the log-out cancels; forgetting one that is over lets the next
// begin, which no scenario asks for.
