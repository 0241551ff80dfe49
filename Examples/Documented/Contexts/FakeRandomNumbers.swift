import Simulator

private func randomNumbers() {
  // example
}

private func identifiers() {
  // example 2
}
