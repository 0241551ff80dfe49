import Simulator

private func example() -> Invariant {
  // example
}
