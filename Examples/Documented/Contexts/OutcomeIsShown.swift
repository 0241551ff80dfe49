private protocol Store: Sendable {
  func note(_ id: Int) async throws -> String
}

private actor Screen {
  private let store: any Store
  private let settled = "settled"
  private var phase = "idle"
  init(store: any Store) { self.store = store }

  func show(_ id: Int) async {
    // example
    phase = "there is no such note"
  }

  private func load() async throws { phase = try await store.note(0) }

  func refresh() async {
    // example 2
  }
}
