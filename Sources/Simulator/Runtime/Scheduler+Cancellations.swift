internal import CConcurrencyHooks
internal import CProcesses

extension Scheduler {
  /// The number of a task of this execution; -1 for any other.
  func index<Success, Failure>(of task: Task<Success, Failure>) -> Int32 {
    // Safe: a `Task` is one reference to the runtime's task, which it keeps alive.
    unsafe taskIndex(of: unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
  }

  /// `task` may be cancelled wherever it is suspended, from here on.
  func followCancellations(
    of task: Int32, _ action: Trace.Action, noting: @escaping @Sendable () -> Void
  ) {
    state.followsCancellations = true
    tables.cancellations.watch(task, action, noting: noting)
  }

  func stopFollowingCancellations() {
    guard state.followsCancellations else { return }
    state.followsCancellations = false
    tables.cancellations.removeAll()
  }

  /// Whether a cancel may come now. Its handlers run between two steps, where nothing can wait for a queue that has work: such
  /// a cancel comes when the queue has done it.
  var mayCancel: Bool { tables.cancellations.isDue && tables.dispatch.areIdle }

  /// Decides, for each task that has come to a point where it may be cancelled, whether it is.
  func offerCancellations() {
    for (task, action, note) in tables.cancellations.takeDue() {
      guard tasks[task].isAlive else {
        tables.cancellations.remove(task)
        continue
      }
      guard chooser.choose(.cancel, options: 2) == 1 else { continue }
      tables.cancellations.remove(task)
      note()
      recorder.saw(.cancelled(action), self)
      if chooser.followsDependencies { unsafe cancels(tasks[task].address) }
      // What it calls at once is the program's. Safe: the task is alive, and the runtime allows a cancel from any place between
      // steps.
      performOutsideSteps { unsafe ch_cancel(tasks[task].address) }
    }
  }
}

// MARK: - What the program cancels

extension Scheduler {
  /// The program cancels a task, in the step or the action that runs.
  func sawCancel(of task: UnsafeMutableRawPointer) {
    if chooser.followsDependencies { unsafe cancels(task) }
    guard isInProgram else { return }
    let index = unsafe taskIndex(of: task)
    // Of one that has ended, or was cancelled before, nothing changes.
    guard index >= 0, tasks[index].isAlive, unsafe !ch_is_cancelled(task) else { return }
    recorder.sawCancel(of: index, self)
  }

  /// The program cancels all tasks of a group.
  func sawCancelOfGroup() {
    if isInProgram { recorder.sawCancel(of: nil, self) }
  }

  private var isInProgram: Bool {
    let phase = unsafe flight.pointee.phase
    return phase == UInt32(CP_STEP) || phase == UInt32(CP_ACTING)
  }
}
