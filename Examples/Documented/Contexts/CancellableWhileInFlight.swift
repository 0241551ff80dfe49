private actor Registry {
  private var inFlight: [String: Task<Void, Never>] = [:]

  func add(_ task: Task<Void, Never>, as id: String) async {
    // example
    await task.value
  }
}
