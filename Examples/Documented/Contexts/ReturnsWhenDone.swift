private actor Screen {
  private var refreshing: Task<Void, Never>?
  private func load() async {}

  // example
}
