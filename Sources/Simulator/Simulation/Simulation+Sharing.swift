extension Simulation {
  /// Declares that the running step uses state that the simulator cannot see: behind a `Mutex`, in an atomic, in memory
  /// that no actor owns.
  ///
  /// A search that leaves out what makes no difference, ``Strategies/ExhaustiveReduced``, then tries both orders of two steps that
  /// use it. To all others it means nothing, and it is no part of the trace. Put it where the state is reached; outside
  /// of a simulation nothing happens:
  ///
  /// ```swift
  /// final class Board: Sendable {
  ///   private let entries = Mutex("")
  ///   func note(_ entry: String) {
  ///     Simulation.current?.access("board")
  ///     entries.withLock { $0 += entry }
  ///   }
  /// }
  /// ```
  ///
  /// O(what the step has used so far), and only in such a search.
  ///
  /// - Parameters:
  ///   - name: What the state is called, the same in every execution. States of the same name are taken for one: that
  ///     costs schedules, never a behaviour.
  ///   - access: `.read` where the step leaves the state as it was: two such steps are not tried in both orders.
  public func access(_ name: String, _ access: Strategies.SharedObject.Access = .exclusive) {
    let chooser = checked.chooser
    scheduler.state.declaredAtStep = scheduler.state.steps
    if chooser.followsDependencies { chooser.accessed(.declared(Digest.mix(Digest.seed, name)), access) }
  }

  /// The running step reads or changes what a fake holds, without a call.
  func access(fake name: String, _ access: Strategies.SharedObject.Access) {
    let chooser = checked.chooser
    if chooser.followsDependencies { chooser.accessed(.fake(Digest.mix(Digest.seed, name)), access) }
  }
}
