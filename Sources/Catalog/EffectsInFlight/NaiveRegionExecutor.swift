/// Fire and forget.
@MainActor final class NaiveRegionExecutor: RegionExecutor {
  func run(_ name: String, _ effect: @escaping RegionEffect) {
    Task { await effect() }
  }

  func cancel(_ name: String) {}
}
