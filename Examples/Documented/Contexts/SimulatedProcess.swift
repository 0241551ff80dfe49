import Simulator

private struct Session {
  let keychain: FakeStore
  func logOut() async throws { try await keychain.write("", for: "session") }
}

private func example(_ simulation: Simulation) {
  // example
}
