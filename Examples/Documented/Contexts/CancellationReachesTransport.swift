private typealias Articles = [String]

private protocol Transport: Sendable {
  func articles() async throws -> Articles
}

private struct Reader {
  let transport: any Transport

  // example
}
