private func load(_ url: String) async throws -> String { url }

private actor Library {
  private var shelf: Set<String> = []

  func add(_ url: String) async throws {
    // example
  }
}
