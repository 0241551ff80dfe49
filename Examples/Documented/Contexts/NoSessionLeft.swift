private protocol Keychain: Sendable {
  func deleteSession() async throws
}

private actor Account {
  private let keychain: any Keychain
  private var session: String?
  init(keychain: any Keychain) { self.keychain = keychain }

  func logOut() async throws {
    // example
  }
}
