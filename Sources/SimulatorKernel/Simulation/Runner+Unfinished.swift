internal import SimulatorCore

// A body that has not returned, and work that goes on after it has.

extension Runner {
  /// Returns true if the execution ended at its time limit before its body did.
  func isUnfinished(_ ending: ExecutionEnding) -> Bool {
    ending == .timeLimit && scheduler.tasks.count > 0 && scheduler.tasks[0].isAlive
  }

  /// Returns true if nothing can be concluded from how the execution ended: its body may have waited for an action that
  /// may happen at any time, and the strategy never took that action.
  func isUnjudged(_ ending: ExecutionEnding) -> Bool {
    isUnfinished(ending) && !scheduler.tables.anytime.isEmpty && !options.forbidsOutlivingTasks
      && scheduler.monitors.findings.isEmpty
  }

  /// Describes what the body waits for, where, and since when.
  func describeUnfinished() -> String {
    let living = scheduler.tasks.living
    let root = scheduler.describeWait(of: 0, withPlaces: keepsEvents)
    let since = lastStepOfRoot.map { ", since \($0)" } ?? ""
    let others = living.count > 1 ? "; " + describe(Array(living.dropFirst())) : ""
    return
      "the body has not returned by the time limit of \(options.timeLimit.shortText): \(root)\(since)\(others); "
      + "if it needs longer, raise `timeLimit`"
  }

  /// The time of the body's last step; nil if events are not kept.
  private var lastStepOfRoot: VirtualInstant? {
    guard keepsEvents else { return nil }
    return scheduler.recorder.lastStep(of: 0)?.time
  }

  /// The notes of the execution for a passing test.
  var advice: AdviceNotes {
    guard options.notesAdvice else { return .none }
    let routes = scheduler.tables.routes
    let tasks = scheduler.tables.afterBody.goneOn(scheduler.tasks)
    return AdviceNotes(
      requested: routes.requested, unmatched: routes.unmatched, goesOn: !tasks.isEmpty,
      tasks: keepsEvents && !tasks.isEmpty ? describe(afterBody: tasks) : [])
  }

  /// Returns the names of tasks, with the place of each one's last step. Events must be kept.
  private func describe(afterBody tasks: [Int32]) -> [String] {
    let trace = scheduler.recorder.trace(scheduler)
    return tasks.map { task in
      let path = scheduler.recorder.path(of: task, scheduler)
      let step = scheduler.recorder.lastStep(of: task)?.step
      let place = step.flatMap { Trace.innermost(trace.places(ofStep: $0)) }
      return place.map { "\(path) at \($0)" } ?? path
    }
  }
}
