internal import CConcurrencyHooks

extension Serializable {
  /// How many schedules of all orders together are tried at most for one outcome.
  private static var mostSchedules: Int { 20_000 }

  /// Runs the operations side by side, once, in the simulation that is running, and judges what they come to.
  ///
  /// It is for the body of a simulated test, or of any other search, which tries the schedules, contains what traps, shrinks and
  /// replays:
  ///
  /// ```swift
  /// @Test(.simulated) func `withdrawals are serializable`() async {
  ///   await Serializable { Account(balance: 100) } observing: { await $0.balance }
  ///     .offering("withdraw", among: [30, 70]) { try await $0.withdraw($1) }
  ///     .judge()
  /// }
  /// ```
  ///
  /// The orders run one after another on a thread beside the simulation, which takes none of its time and is no part of its
  /// trace. Where they leave open what is honest, nothing is judged; where that is so in every schedule, the search has tested
  /// nothing and says so.
  /// - Parameter options: The limits of what runs one after another; nil for those of the simulation that is running. Less jitter
  ///   of timers than the search has would call an honest outcome a violation.
  /// - Complexity: As many executions as there are orders, where no earlier one comes to the same.
  public func judge(options: Simulation.Options? = nil) async {
    guard let simulation = Simulation.current else {
      fatalError("`judge` is called inside a simulation, as in a simulated test; elsewhere it is `explore`")
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
  /// The limits of the execution that is running.
  fileprivate var ownOptions: Simulation.Options {
    let limits = checked.limits
    var options = Simulation.Options()
    options.timeLimit = .nanoseconds(limits.time)
    options.stepsAtOneInstant = limits.stepsAtOneInstant
    options.timerJitter = .nanoseconds(limits.timerJitter)
    if limits.overlaps { options.steps = .overlapping }
    return options
  }

  /// Says whether there was anything to judge by `invariant` in this execution.
  func requireJudged(_ invariant: String, _ isJudged: Bool) {
    require(
      Invariant(invariant, "Operations come to what they come to in some order.") {
        Judgement(judged: isJudged)
      })
  }
}

/// What has been judged elsewhere, or has not.
private struct Judgement: Invariant.Monitor {
  let judged: Bool
  func saw(_ event: Trace.Event) -> String? { nil }
}

/// What `body` answers on a thread that belongs to no simulation. The step that calls waits, and nothing else runs meanwhile.
private func beside<Result: Sendable>(_ body: @Sendable () -> Result) -> Result {
  withoutActuallyEscaping(body) { body in
    let work = SideWork(body)
    let isDone = unsafe ch_do_beside(
      { unsafe Unmanaged<SideWork>.fromOpaque($0).takeUnretainedValue().run() },
      Unmanaged.passUnretained(work).toOpaque())
    guard isDone, let result = work.result as? Result else {
      // Without a thread nothing can be judged, and there is nobody to tell it to: no step may end here with an error.
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
