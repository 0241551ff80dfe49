/// Keeps the request, so that signing out can cancel it and its late answer is known to be late.
actor HardenedSignIn: SignInSession {
  private(set) var state = SignInState.loggedOut
  private var request: Task<Void, any Error>?
  private let service: any SignInService

  init(service: any SignInService) {
    self.service = service
  }

  func signIn(to account: Int) async throws {
    guard state == .loggedOut else { throw SignInError.notAllowed(in: state) }
    state = .loggingIn(account: account)
    let request = Task { try await service.authenticate(account: account) }
    self.request = request
    let answer = await withTaskCancellationHandler {
      await request.result
    } onCancel: {
      request.cancel()  // guard: cancel-reaches-request
    }
    guard request == self.request else { throw SignInError.signedOut }  // guard: only-the-current-request
    do {
      try answer.get()
      try Task.checkCancellation()
      state = .loggedIn(account: account)
    } catch {
      state = .loggedOut  // guard: failure-logs-out
      throw error
    }
  }

  func signOut() throws {
    guard state != .loggedOut else { throw SignInError.notAllowed(in: state) }
    request?.cancel()  // guard: sign-out-cancels-request
    request = nil
    state = .loggedOut
  }
}

// Not guards: looking for a cancel behind a deaf server; the request that is kept, which the guards cancel and compare, and asking for its answer.
