private protocol Queue {
  @discardableResult func run<Answer>(_ work: () async throws -> Answer) async throws -> Answer
}

private protocol Store {
  func save(_ phrases: [String]) async throws
  func phrase(_ name: String) async throws -> String
}

private protocol Network {
  func phrases() async throws -> [String]
}

private func example(_ queue: some Queue, _ store: some Store, _ network: some Network) async throws {
  // example
}
