/// Keeps what it runs, and cancels it when it goes away. But the loop that forgets what has finished retains
/// the executor, which therefore never goes away while there is anything to cancel.
@MainActor final class PublishedRegionExecutor: RegionExecutor {
  private var running: [String: Task<Void, Never>] = [:]
  private var loop: Task<Void, Never>?

  deinit {
    for task in running.values { task.cancel() }
  }

  func run(_ name: String, _ effect: @escaping RegionEffect) {
    guard running[name] == nil else { return }
    running[name] = Task { await effect() }
    loop = loop ?? Task { await forgetFinished() }
  }

  func cancel(_ name: String) {
    running[name]?.cancel()
  }

  private func forgetFinished() async {
    while let (name, task) = running.first {
      await task.value
      running[name] = nil
    }
    loop = nil
  }
}
