import Scenarios

private func example() {
  // example
  _ = lesson
}
