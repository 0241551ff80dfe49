/// Comes back from the server and sets the state, whatever it has become meanwhile.
actor NaiveSignIn: SignInSession {
  private(set) var state = SignInState.loggedOut
  private let service: any SignInService

  init(service: any SignInService) {
    self.service = service
  }

  func signIn(to account: Int) async throws {
    guard state == .loggedOut else { throw SignInError.notAllowed(in: state) }
    state = .loggingIn(account: account)
    do {
      try await service.authenticate(account: account)
      state = .loggedIn(account: account)
    } catch {
      state = .loggedOut
      throw error
    }
  }

  func signOut() throws {
    guard state != .loggedOut else { throw SignInError.notAllowed(in: state) }
    state = .loggedOut
  }
}
