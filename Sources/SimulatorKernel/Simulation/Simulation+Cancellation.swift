package import SimulatorCore

extension Simulation {
  /// Lets a cancel reach `task` at any of its suspension points: before it begins, whenever it or a task that it has
  /// made waits, and between being woken and running again.
  ///
  /// Each point is a choice on the tape; the natural choice is that no cancel comes. An exploration first delivers the
  /// cancel at every point of the natural order in turn, and the report says how many there were.
  ///
  /// ```swift
  /// let report = explore { simulation in
  ///   let save = Task { try await editor.save() }
  ///   simulation.cancelAnywhere(save, "save")
  ///   _ = await save.result
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - task: A task of this simulation.
  ///   - name: The name that traces use.
  public func cancelAnywhere<Success, Failure>(_ task: Task<Success, Failure>, _ name: String = "the task") {
    cancelAnywhere(task, as: Trace.Action(label: name, name: name))
  }

  /// Like ``cancelAnywhere(_:_:)``, for the task of a script's action; `noting` is called when the cancel comes.
  package func cancelAnywhere<Success, Failure>(
    _ task: Task<Success, Failure>, as action: Trace.Action, noting: @escaping @Sendable () -> Void = {}
  ) {
    let scheduler = checked
    let index = scheduler.index(of: task)
    refuse(
      if: index < 0,
      "cancelAnywhere is for a task of this simulation: make the task inside the body, in this execution")
    scheduler.followCancellations(of: index, action, noting: noting)
  }
}
