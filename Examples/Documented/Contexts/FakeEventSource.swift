import Simulator

private actor Inbox {
  func received(_ push: String) {}
}

private func example(_ simulation: Simulation, _ inbox: Inbox) async throws {
  // example
}
