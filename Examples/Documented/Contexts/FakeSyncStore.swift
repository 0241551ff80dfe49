import Simulator
import Testing

private struct Locked: Error {}

private func example(_ simulation: Simulation) async throws {
  // example
}
