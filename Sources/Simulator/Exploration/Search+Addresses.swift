internal import SimulatorCore
internal import SimulatorKernel

// The comparison of executions whose objects have other addresses.

extension Search {
  /// Returns what a fresh process does other than `inFresh` under the schedule of `found` because its objects are elsewhere in
  /// memory; nil if no difference was seen. Then the state kept between executions decides, and not an address.
  func differenceByAddress(
    _ inFresh: Simulation.Execution, under found: Simulation.Execution
  ) -> Invariant.Violation? {
    found.violations.contains { Invariant.BuiltIn.takesTime($0.invariant) }
      ? nil : differenceByAddress(inFresh)
  }

  /// Returns what a fresh process does other than `inFresh` because its objects are elsewhere in memory; nil if no difference
  /// was seen. A program that acts on one bit of an address is missed with a chance of 1 in 2 to the number of replays.
  func differenceByAddress(_ inFresh: Simulation.Execution) -> Invariant.Violation? {
    func observed(_ moved: Int, keepingEvents: Bool = false) -> Simulation.Execution? {
      freshServer?.observe(
        inFresh.schedule, number: number - 1, seed: explorer.seed, keepingEvents: keepingEvents, moved: moved)
    }
    for moved in 1...(inFresh.isLong ? 1 : Invariant.Shrinking.maximumReplays) where !runner.isTooLate {
      guard let again = observed(moved), again.trace.digest != inFresh.trace.digest else { continue }
      return nondeterminism(
        observed(0, keepingEvents: true) ?? inFresh, observed(moved, keepingEvents: true) ?? again,
        isOfAddress: true)
    }
    return nil
  }
}
