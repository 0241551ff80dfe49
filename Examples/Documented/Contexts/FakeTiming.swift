import Simulator

private func example() {
  // example
  _ = (network, store)
}
