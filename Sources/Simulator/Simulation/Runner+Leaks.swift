/// Tasks that will never go on.
extension Runner {
  /// A task whose continuation was dropped never goes on. One that was cancelled was told to end; at rest nothing is left
  /// in the execution that could wake it.
  func judgeLeaks(_ ending: Simulation.Execution.Ending) {
    let abandoned = scheduler.abandoned
    let cancelled =
      ending == .finished
      ? scheduler.tasks.living.filter { scheduler.tasks.isCancelled($0) && !abandoned.contains($0) } : []
    let kinds = [
      ("cancelled and still suspended, with nothing left in the execution that could wake it: ", cancelled),
      ("suspended for ever, since nobody holds what could wake it: ", abandoned),
    ]
    let told = kinds.filter { !$0.1.isEmpty }.map { $0.0 + describe($0.1) }
    guard !told.isEmpty else { return }
    scheduler.monitors.violated(
      Invariant.BuiltIn.nothingLeaks, told.joined(separator: "; "), scheduler)
  }
}
