private protocol Service: Sendable {
  func signIn() async throws -> String
}

private actor Session {
  enum State {
    case loggedOut
    case loggingIn
    case loggedIn(String)
  }

  private let service: any Service
  private var state = State.loggedOut
  init(service: any Service) { self.service = service }

  func logIn() async throws {
    // example
  }
}
