internal import CConcurrencyHooks

extension Scheduler {
  /// The number of a task of this execution; -1 for any other.
  func index<Success, Failure>(of task: Task<Success, Failure>) -> Int32 {
    // Safe: a `Task` is one reference to the runtime's task, which it keeps alive.
    unsafe taskIndex(of: unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
  }

  /// `task` may be cancelled wherever it is suspended, from here on.
  func followCancellations(of task: Int32, _ action: Action) {
    state.followsCancellations = true
    tables.cancellations.watch(task, action)
  }

  func stopFollowingCancellations() {
    guard state.followsCancellations else { return }
    state.followsCancellations = false
    tables.cancellations.removeAll()
  }

  /// Decides, for each task that has come to a point where it may be cancelled, whether it is.
  func offerCancellations() {
    for (task, action) in tables.cancellations.takeDue() {
      guard tasks[task].isAlive else {
        tables.cancellations.remove(task)
        continue
      }
      guard chooser.choose(.cancel, options: 2) == 1 else { continue }
      tables.cancellations.remove(task)
      recorder.saw(.cancelled(action), self)
      if chooser.followsDependencies { unsafe cancels(tasks[task].address) }
      // Safe: the task is alive, and the runtime allows a cancel from any place between steps.
      unsafe ch_cancel(tasks[task].address)
      monitors.afterStep(self)
    }
  }
}
