internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore

extension Scheduler {
  /// Returns the number of a task of this execution; -1 for any other.
  func index<Success, Failure>(of task: Task<Success, Failure>) -> Int32 {
    // Safe: a `Task` is one reference to the runtime's task, which it keeps alive.
    unsafe taskIndex(of: unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
  }

  /// Allows `task` to be canceled wherever it is suspended, from now on.
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

  /// True if a cancel may come now. Its handlers run between two steps, where nothing can wait for a queue that has
  /// work. So the cancel comes when the queues are idle.
  var mayCancel: Bool { tables.cancellations.isDue && tables.dispatch.areIdle }

  /// Decides, for each task that has come to a point where it may be canceled, whether to cancel it.
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
      // The handlers that this calls are the program's code. Safe: the task is alive, and the runtime allows a cancel
      // from anywhere between steps.
      performOutsideSteps { unsafe ch_cancel(tasks[task].address) }
    }
  }
}

// MARK: - What the program cancels

extension Scheduler {
  /// Notes that the program cancels a task, in the step or the action that runs.
  func sawCancel(of task: UnsafeMutableRawPointer) {
    if chooser.followsDependencies { unsafe cancels(task) }
    guard isInProgram else { return }
    let index = unsafe taskIndex(of: task)
    // Nothing changes for a task that has ended or was canceled before.
    guard index >= 0, tasks[index].isAlive, unsafe !ch_is_cancelled(task) else { return }
    recorder.sawCancel(of: index, self)
  }

  /// Notes that the program cancels all tasks of a group.
  func sawCancelOfGroup() {
    if isInProgram { recorder.sawCancel(of: nil, self) }
  }

  private var isInProgram: Bool {
    let phase = unsafe flight.pointee.phase
    return phase == UInt32(CP_STEP) || phase == UInt32(CP_ACTING)
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_cancels(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) {
    if $0.limits.hasWeakMemory { unsafe $0.ordersByCancel($0.taskIndex(of: task)) }
    unsafe $0.sawCancel(of: task)
  }
}

@c @implementation
func simulator_cancels_group(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) {
    if $0.limits.hasWeakMemory { $0.ordersByCancel($0.currentTask) }
    $0.sawCancelOfGroup()
  }
}

@c @implementation
func simulator_asks_whether_cancelled(
  _ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.asksWhetherCancelled(task) }
}
