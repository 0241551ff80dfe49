internal import CConcurrencyHooks
internal import SimulatorCore
public import SimulatorKernel

extension Serializable {
  /// The greatest number of schedules that are tried for one outcome, of all orders together.
  private static var mostSchedules: Int { 20_000 }

  /// Runs the operations side by side, once, in the running simulation, and judges their outcome.
  ///
  /// Call it in the body of a simulated test, or of any other search, which tries the schedules, contains traps,
  /// shrinks and replays:
  ///
  /// ```swift
  /// @Test(.simulated) func `withdrawals are serializable`() async {
  ///   await Serializable { Account(balance: 100) } observing: { await $0.balance }
  ///     .offering("withdraw", among: [30, 70]) { try await $0.withdraw($1) }
  ///     .check()
  /// }
  /// ```
  ///
  /// The orders run one after another on a thread beside the simulation; they take none of its time and do not appear
  /// in its trace. If they leave open which outcomes are sequential, nothing is judged. If that is so in every schedule,
  /// the search has tested nothing and says so.
  /// - Parameter options: The limits of the runs one after another; nil for those of the running simulation. With less
  ///   jitter of timers than the search has, a sequential outcome would be called a violation.
  /// - Complexity: As many executions as there are orders, unless an earlier order has the same outcome.
  public func check(options: Simulation.Options? = nil) async {
    guard let simulation = Simulation.current else {
      fatalError("`check` is called inside a simulation, as in a simulated test; elsewhere it is `explore`")
    }
    refuseMeaningless()
    let drawn = drawn(in: simulation)
    let outcome = await drawn.outcomeSideBySide()
    guard drawn.clients > 1 else { return simulation.requireJudged(Self.serializable, false) }
    let limits = options ?? simulation.ownOptions
    let honest = beside {
      HonestOutcomes(of: drawn, limits, seed: 0, until: outcome, atMost: Self.mostSchedules)
    }
    if let violation = honest.failure?.violations.first {
      simulation.fail(violation.invariant, "one after another: \(violation.message)")
    } else if !honest.contains(outcome), honest.gap == nil {
      simulation.fail(Self.serializable, drawn.describe(outcome, beside: honest))
    }
    simulation.requireJudged(Self.serializable, honest.contains(outcome) || honest.gap == nil)
  }
}

extension Simulation {
  /// The limits of the running execution.
  fileprivate var ownOptions: Simulation.Options {
    let limits = checked.limits
    var options = Simulation.Options()
    options.timeLimit = .nanoseconds(limits.time)
    options.stepLimitPerInstant = limits.stepLimitPerInstant
    options.timerJitter = .nanoseconds(limits.timerJitter)
    options.poolThreads = limits.poolThreads
    if limits.overlaps { options.steps = .preemptible }
    return options
  }

  /// Notes whether there was anything to judge by `invariant` in this execution.
  func requireJudged(_ invariant: String, _ isJudged: Bool) {
    require(
      Invariant(invariant, "Operations come to what they come to in some order.") {
        Judgment(judged: isJudged)
      })
  }
}

/// A monitor that reports only whether something was judged elsewhere.
private struct Judgment: Invariant.Monitor {
  let judged: Bool
  func saw(_ event: Trace.Event) -> String? { nil }
}

/// Returns the result of `body` on a thread that belongs to no simulation. The calling step waits, and nothing else
/// runs in the meantime.
private func beside<Result: Sendable>(_ body: @Sendable () -> Result) -> Result {
  withoutActuallyEscaping(body) { body in
    let work = SideWork(body)
    let isDone = unsafe ch_do_beside(
      { unsafe Unmanaged<SideWork>.fromOpaque($0).takeUnretainedValue().run() },
      Unmanaged.passUnretained(work).toOpaque())
    guard isDone, let result = work.result as? Result else {
      // Without a thread, nothing can be judged, and this cannot be reported: no step may end here with an error.
      fatalError("the system has no room for another thread")
    }
    return result
  }
}

private final class SideWork: @unchecked Sendable {
  // @unchecked Sendable because the thread that made it waits while the other runs it.
  private let body: @Sendable () -> any Sendable
  private(set) var result: (any Sendable)?
  init(_ body: @escaping @Sendable () -> any Sendable) { self.body = body }
  func run() { result = body() }
}
