private actor Store {
  private var state: [String] = []
  private func effects(of action: String) -> AsyncStream<String> { AsyncStream { $0.finish() } }
  private func apply(_ outcome: String) { state.append(outcome) }

  func follow(_ actions: AsyncStream<String>) async {
    // example
  }
}
