/// Forgets the session, and leaves a sync that is under way to itself: what it brings is kept and saved.
actor NaiveAccountClient: AccountClient {
  private(set) var session: BankSession?
  private(set) var transfers: [BankTransfer] = []
  private let service: any BankService
  private let keychain: any BankKeychain

  init(_ session: BankSession, service: any BankService, keychain: any BankKeychain) {
    self.session = session
    self.service = service
    self.keychain = keychain
  }

  func sync() async throws {
    guard let session else { throw LoggedOut() }
    let renewed = try await service.renewed(session)
    self.session = renewed
    try await keychain.save(renewed)
    transfers = try await service.transfers(renewed)
  }

  func logOut() async throws {
    session = nil
    transfers = []
    try await keychain.deleteSession()
  }
}
