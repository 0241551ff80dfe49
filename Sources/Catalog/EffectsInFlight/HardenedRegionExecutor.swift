import Foundation

/// Keeps what it runs and cancels it on request and when it goes away. No task retains it; what has finished
/// by itself is forgotten, and only that.
@MainActor final class HardenedRegionExecutor: RegionExecutor {
  private struct Run {
    let id: UUID
    let task: Task<Void, Never>
  }

  private var running: [String: Run] = [:]

  deinit {
    for run in running.values { run.task.cancel() }  // guard: cancelled-with-executor
  }

  func run(_ name: String, _ effect: @escaping RegionEffect) {
    guard running[name] == nil else { return }  // guard: not-twice
    let id = UUID()
    let executor = { [weak self] in self }  // guard: not-retained => let executor = { Optional(self) }
    let task = Task {
      await effect()
      executor()?.finished(name, id)  // guard: forgets-what-finished
    }
    running[name] = Run(id: id, task: task)
  }

  func cancel(_ name: String) {
    running.removeValue(forKey: name)?.task.cancel()  // guard: cancelled-on-request
  }

  private func finished(_ name: String, _ id: UUID) {
    guard running[name]?.id == id else { return }  // guard: only-its-own
    running[name] = nil
  }
}

// Not guards: the record of what runs, and its ids, which the guards read.
