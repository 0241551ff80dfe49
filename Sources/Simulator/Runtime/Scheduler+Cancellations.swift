internal import CConcurrencyHooks

extension Scheduler {
  /// `task` may be cancelled wherever it is suspended, from here on.
  func followCancellations(of task: Int32, _ action: Action) {
    followsCancellations = true
    cancellations.watch(task, action)
  }

  func stopFollowingCancellations() {
    guard followsCancellations else { return }
    followsCancellations = false
    cancellations.removeAll()
  }

  /// Decides, for each task that has come to a point where it may be cancelled, whether it is.
  func offerCancellations() {
    for (task, action) in cancellations.takeDue() {
      guard tasks[task].isAlive else {
        cancellations.remove(task)
        continue
      }
      guard chooser.choose(.cancel, options: 2) == 1 else { continue }
      cancellations.remove(task)
      witness.saw(.cancelled(action), self)
      if chooser.followsDependencies { unsafe cancels(tasks[task].address) }
      // Safe: the task is alive, and the runtime lets anybody cancel it between steps.
      unsafe ch_cancel(tasks[task].address)
      witness.afterStep(self)
    }
  }
}
