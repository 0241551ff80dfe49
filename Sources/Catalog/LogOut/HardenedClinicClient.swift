/// One sync at a time. The log-out cancels it and waits for its end, since a save that is under way may not
/// listen; and it forgets nothing before the keychain has. Meanwhile no sync begins.
actor HardenedClinicClient: ClinicClient {
  private(set) var session: ClinicSession?
  private(set) var findings: [Finding] = []
  private var syncing: Task<Void, any Error>?
  /// How many want the sync that is under way.
  private var askers = 0
  /// How many log-outs are under way.
  private var logOuts = 0
  private let service: any ClinicService
  private let keychain: any ClinicKeychain

  init(_ session: ClinicSession?, service: any ClinicService, keychain: any ClinicKeychain) {
    self.session = session
    self.service = service
    self.keychain = keychain
  }

  /// Joins the sync that is under way, if there is one. It ends with the last who wants it.
  func sync() async throws {
    guard let session, logOuts == 0 else { throw LoggedOut() }
    // undone: let task = Task { try await run(session) }
    let task = syncing ?? Task { try await run(session) }  // guard: one-sync
    syncing = task
    askers += 1
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      Task { await leave(task) }  // guard: cancel-reaches-sync
    }
  }

  private func leave(_ task: Task<Void, any Error>) {
    guard task == syncing else { return }
    askers -= 1
    if askers == 0 { task.cancel() }
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
    defer { (syncing, askers) = (nil, 0) }
    let renewed = try await Self.renewed(session, by: service)
    self.session = renewed
    // In a task that nobody cancels: the old token may be worth nothing any more.
    try await Task { try await keychain.save(renewed) }.value
    try Task.checkCancellation()
    let found = try await Self.findings(renewed, from: service)
    try Task.checkCancellation()
    findings = found
  }

  // Off the actor that owns the keychain.
  @concurrent  // guard: owners-apart
  private nonisolated static func renewed(
    _ session: ClinicSession, by service: any ClinicService
  ) async throws -> ClinicSession {
    try await service.renewed(session)
  }

  @concurrent  // guard: owners-apart
  private nonisolated static func findings(
    _ session: ClinicSession, from service: any ClinicService
  ) async throws -> [Finding] {
    try await service.findings(session)
  }
}

// Not guards: saving a renewed session in a task that nobody cancels, and looking for a cancel after each wait; what keeps a sync from beginning during a log-out, the record of the sync that the log-out cancels; forgetting one that is over lets the next
// begin, which no scenario asks for.
