import SimulatorTesting
import Testing

private struct Checkout {
  func pay() async throws {}
}

// example
