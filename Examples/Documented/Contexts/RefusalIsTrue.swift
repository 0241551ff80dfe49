private final class Session {
  enum State {
    case loggedOut
    case loggedIn
  }

  private var state = State.loggedIn

  // example
}
