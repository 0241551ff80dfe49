import Simulator
import Testing

private func example(_ simulation: Simulation) async throws {
  // example
}
