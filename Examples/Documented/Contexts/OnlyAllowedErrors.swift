private struct SignedOut: Error {}

private struct Session {
  let request: Int

  func accept(_ request: Int) throws {
    // example
  }
}
