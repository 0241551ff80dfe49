/// Forgets the session, and leaves a sync that is under way to itself: what it brings is kept and saved.
actor NaiveClinicClient: ClinicClient {
  private(set) var session: ClinicSession?
  private(set) var findings: [Finding] = []
  private let service: any ClinicService
  private let keychain: any ClinicKeychain

  init(_ session: ClinicSession?, service: any ClinicService, keychain: any ClinicKeychain) {
    self.session = session
    self.service = service
    self.keychain = keychain
  }

  func sync() async throws {
    guard let session else { throw LoggedOut() }
    let renewed = try await service.renewed(session)
    self.session = renewed
    try await keychain.save(renewed)
    findings = try await service.findings(renewed)
  }

  func logOut() async throws {
    session = nil
    findings = []
    try await keychain.deleteSession()
  }
}
