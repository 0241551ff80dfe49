internal import SimulatorCore

// Tasks that will never go on.

extension Runner {
  /// Judges whether tasks that are alive at the end of an execution leak: they were cancelled, or abandoned, and will
  /// never go on. Returns what is not a violation because something outside could wake them.
  func judgeLeaks(_ ending: Simulation.Execution.Ending) -> [String] {
    let abandoned = scheduler.abandoned
    let cancelled =
      ending == .finished
      ? scheduler.tasks.living.filter { scheduler.tasks.isCancelled($0) && !abandoned.contains($0) } : []
    let mayBeWoken = !cancelled.isEmpty && scheduler.mayBeWokenFromOutside
    let kinds = [
      (
        "cancelled and still suspended, with nothing left in the execution that could wake it: ",
        mayBeWoken ? [] : cancelled
      ),
      ("suspended for ever, since nobody holds what could wake it: ", abandoned),
    ]
    let told = kinds.filter { !$0.1.isEmpty }.map { $0.0 + describe($0.1) }
    if !told.isEmpty {
      scheduler.monitors.violated(
        Invariant.BuiltIn.nothingLeaks, told.joined(separator: "; "), scheduler)
    }
    guard mayBeWoken else { return [] }
    return [
      "cancelled and still suspended, which would be a leak, but a thread of the process that the simulator has not "
        + "started could still wake it: \(describe(cancelled))"
    ]
  }
}
