import Simulator
import Testing

private func example(_ network: FakeNetwork, _ store: FakeStore) {
  // example
}
