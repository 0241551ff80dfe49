import Foundation

/// The tasks of a screen. While it is closed none begins; when it closes all are cancelled; those that have
/// finished are forgotten.
@MainActor final class ScreenScope {
  private struct Job {
    let id: UUID
    let task: Task<Void, Never>
  }

  private var isOpen = false
  private var jobs: [Job] = []

  /// How many tasks have not finished.
  var count: Int { jobs.count }

  func open() {
    isOpen = true
  }

  func launch(_ work: @escaping @MainActor () async -> Void) {
    guard isOpen else { return }  // guard: nothing-after-close
    let id = UUID()
    let task = Task {
      if !Task.isCancelled { await work() }  // guard: nothing-begins-when-cancelled => await work()
      jobs.removeAll { $0.id == id }  // guard: forget-finished
    }
    jobs.append(Job(id: id, task: task))
  }

  func cancel() {
    for job in jobs { job.task.cancel() }
  }

  func close() {
    isOpen = false
    cancel()  // guard: cancelled-with-screen
  }
}
