private actor Screen {
  private var loading: Task<Void, Never>?
  private func load() async {}

  func refresh() {
    // example
  }
}
