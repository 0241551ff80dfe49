private struct ViewState {
  let isSignedIn: Bool
  let name: String?
}

private actor Session {
  var isSignedIn: Bool { name != nil }
  private(set) var name: String?
}

@MainActor private final class Model {
  private var screen: ViewState?

  func show(_ session: Session) async {
    // example
  }
}
