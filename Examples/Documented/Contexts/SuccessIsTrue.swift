private protocol Store: Sendable {
  func save(_ note: String) async throws
}

private actor Editor {
  enum Screen {
    case unsaved
    case saved
  }

  private let store: any Store
  private var screen = Screen.unsaved
  init(store: any Store) { self.store = store }

  func save(_ note: String) async throws {
    // example
  }
}
