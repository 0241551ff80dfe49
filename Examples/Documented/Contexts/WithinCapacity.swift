private func load(_ url: String) async throws -> String { url }

private actor Images {
  private let capacity = 3
  private var images: [String] = []

  func add(_ url: String) async throws {
    // example
  }
}
