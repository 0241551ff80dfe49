private protocol Disk {
  func write(_ stop: String) async throws
}

private func example(_ stops: [String], _ disk: some Disk) async throws {
  // example
}
