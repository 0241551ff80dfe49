import Simulator

extension FakeNetwork: SignInService {
  nonisolated func authenticate(account: Int) async throws {
    try await exchange("POST /session", .text("account \(account)")) { _ in }
  }
}

extension SignInState {
  var shown: Trace.Value {
    switch self {
    case .loggedOut: "logged out"
    case .loggingIn(let account): .text("logging in to account \(account)")
    case .loggedIn(let account): .text("logged in to account \(account)")
    }
  }
}
