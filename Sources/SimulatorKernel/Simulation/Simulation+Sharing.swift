internal import CConcurrencyHooks
public import SimulatorCore
internal import SimulatorStrategyInterface

extension Simulation {
  /// Declares that the running step uses state that the simulator cannot see: behind a `Mutex`, in an atomic, in memory
  /// that no actor owns.
  ///
  /// A search that leaves out what makes no difference, `.reduced`, then tries both orders of two steps that use the
  /// state. For all other strategies this has no meaning, and it is not part of the trace. Put it where the state is
  /// reached; outside a simulation nothing happens:
  ///
  /// ```swift
  /// final class Board: Sendable {
  ///   private let entries = Mutex("")
  ///   func note(_ entry: String) {
  ///     Simulation.current?.declareAccess(to: "board")
  ///     entries.withLock { $0 += entry }
  ///   }
  /// }
  /// ```
  ///
  /// O(what the step has used so far), and only in a search with that strategy.
  ///
  /// - Parameters:
  ///   - name: The name of the state, the same in every execution. States with the same name are taken for one: that
  ///     costs schedules, never a behavior.
  ///   - access: `.read` if the step leaves the state as it was: two such steps are not tried in both orders.
  public func declareAccess(to name: String, _ access: Strategies.Access = .exclusive) {
    let chooser = checked.chooser
    scheduler.state.declaredAtStep = scheduler.state.steps
    if chooser.followsDependencies { chooser.accessed(.declared(Digest.mix(Digest.seed, name)), access) }
  }

  /// Notes that the running step is about to call `object`, which any thread may call at any time: where steps overlap,
  /// others may come before and after.
  package func comesTo(_ object: AnyObject, changes: Bool) {
    ch_comes_to(UInt(bitPattern: ObjectIdentifier(object)), changes)
  }

  /// Notes that the running step reads or changes what a fake holds, without a call.
  package func access(fake name: String, _ access: Strategies.Access) {
    let chooser = checked.chooser
    if chooser.followsDependencies { chooser.accessed(.fake(Digest.mix(Digest.seed, name)), access) }
  }
}
