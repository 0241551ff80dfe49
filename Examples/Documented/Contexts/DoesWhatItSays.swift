private final class Upload {
  enum State {
    case preparing
    case running(Int)
    case paused(Int)
  }

  private var state = State.preparing

  // example
}
