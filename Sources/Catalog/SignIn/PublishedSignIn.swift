/// Refuses whatever the state does not allow. When the server refuses, nothing leads out of logging in.
actor PublishedSignIn: SignInSession {
  private(set) var state = SignInState.loggedOut
  private let service: any SignInService

  init(service: any SignInService) {
    self.service = service
  }

  func signIn(to account: Int) async throws {
    guard state == .loggedOut else { throw SignInError.notAllowed(in: state) }
    state = .loggingIn(account: account)
    try await service.authenticate(account: account)
    state = .loggedIn(account: account)
  }

  func signOut() throws {
    guard case .loggedIn = state else { throw SignInError.notAllowed(in: state) }
    state = .loggedOut
  }
}
