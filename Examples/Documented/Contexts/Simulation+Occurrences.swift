import Simulator

private actor Uploads {
  private(set) var count = 0
}

private let uploads = Uploads()

private func upload() async throws {
  Simulation.current?.markReached("retry")
}

private func example() {
  // example
  _ = report
}
