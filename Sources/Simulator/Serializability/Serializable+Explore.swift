internal import SimulatorCore
public import SimulatorKernel
public import SimulatorStrategyInterface

extension Serializable {
  /// The name of the invariant: the outcome of the operations side by side is also their outcome in some order one
  /// after another.
  public static var serializable: String { "serializable" }

  /// Runs the operations one after another in every order, then side by side under many schedules.
  ///
  /// If something is violated one after another, returns that report. If not every outcome of one order could be tried
  /// (a range of time, too many schedules), no outcome is a violation, because it might be a sequential one; a warning says so.
  /// - Parameters:
  ///   - name: The name that the report gives it.
  ///   - schedules: The greatest number of schedules to try side by side; at least 1.
  ///   - seed: The seed of random choices.
  ///   - strategy: The strategy that picks the schedules after the natural one.
  ///   - options: The limits of one execution.
  /// - Complexity: As many executions come first as there are orders, times the schedules of each.
  public func explore<Searching: SchedulingStrategy>(
    _ name: String = "side by side", schedules: Int = 1_000, seed: UInt64 = 0,
    strategy: Searching = .portfolio, options: Simulation.Options = Simulation.Options()
  ) -> Explorer.Report {
    refuseMeaningless()
    guard offers.isEmpty else {
      var explorer = Explorer(name: name, options: options) { _ in await check(options: options) }
      explorer.budget.schedules = schedules
      explorer.seed = seed
      explorer.strategy = strategy
      return explorer.explore()
    }
    let honest = HonestOutcomes(of: self, options, seed: seed)
    if let failure = honest.failure { return failure }
    var explorer = Explorer(name: name, options: options) { simulation in
      let outcome = await outcomeSideBySide()
      if honest.gap == nil, !honest.contains(outcome) {
        simulation.fail(Self.serializable, describe(outcome, beside: honest))
      }
    }
    explorer.budget.schedules = schedules
    explorer.seed = seed
    explorer.strategy = strategy
    var report = explorer.explore()
    if let gap = honest.gap {
      report.warn("no outcome was judged: \(gap), so an outcome that no order showed might be honest")
    }
    return report
  }

  func refuseMeaningless() {
    let (most, count) = (Self.maximumOperations, operations.count + (offers.isEmpty ? 0 : limits.operations))
    refuse(
      if: clients < 2 && offers.isEmpty,
      "operations run side by side where there are two or more; add another by `operation`")
    refuse(
      if: count > most, "\(count) operations have more orders than can be tried; \(most) are the most")
  }

  func describe(_ outcome: JointOutcome, beside honest: HonestOutcomes) -> String {
    let all = text(outcome, inOrder: Array(operations.indices))
    guard let nearest = honest.nearest(to: outcome) else { return all }
    return "\(all). No order of them comes to that. Nearest, one after another: "
      + text(nearest.outcome, inOrder: nearest.order)
  }

  private func text(_ outcome: JointOutcome, inOrder order: [Int]) -> String {
    order.map { "\(operations[$0].name): \(outcome.answers[$0].text)" }.joined(separator: ", ")
      + "; then \(outcome.observed.text) is observed"
  }
}
