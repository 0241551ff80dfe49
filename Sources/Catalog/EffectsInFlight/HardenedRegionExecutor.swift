/// Keeps what it runs and cancels it on request and when it goes away. No task retains it; what has finished
/// by itself is forgotten, and only that.
@MainActor final class HardenedRegionExecutor: RegionExecutor {
  private struct Run {
    let number: Int
    let task: Task<Void, Never>
  }

  private var running: [String: Run] = [:]
  private var runsSoFar = 0

  deinit {
    for run in running.values { run.task.cancel() }  // guard: cancelled-with-executor
  }

  func run(_ name: String, _ effect: @escaping RegionEffect) {
    guard running[name] == nil else { return }  // guard: not-twice
    runsSoFar += 1
    let number = runsSoFar
    let executor = { [weak self] in self }  // guard: not-retained => let executor = { Optional(self) }
    let task = Task {
      await effect()
      executor()?.finished(name, number)  // guard: forgets-what-finished
    }
    running[name] = Run(number: number, task: task)
  }

  func cancel(_ name: String) {
    running.removeValue(forKey: name)?.task.cancel()  // guard: cancelled-on-request
  }

  private func finished(_ name: String, _ number: Int) {
    guard running[name]?.number == number else { return }  // guard: only-its-own
    running[name] = nil
  }
}

// Not guards: the record of what runs, and its numbers, which the guards read.
