import SimulatorTesting
import Testing

private actor Screen {
  private let network: FakeNetwork
  private(set) var isEmpty = true
  init(loading network: FakeNetwork) { self.network = network }
  func load() async {}
  func leave() {}
}

// example
