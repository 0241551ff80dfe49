import Simulator
import SimulatorStrategies

/// A program small enough to be run under every schedule, and what it came to.
struct SmallProgram: Sendable, CustomStringConvertible {
  let name: String
  /// Whether the reduction tells apart exactly what a report calls behaviors. Not where cancellation, actions, chosen
  /// delays, the order of a mailbox or a mailbox filled by the runtime itself make finer differences.
  let isExact: Bool
  let body: @Sendable (Simulation) async -> String

  var description: String { name }

  init(
    _ name: String, isExact: Bool = true, _ body: @escaping @Sendable (Simulation) async -> String
  ) {
    self.name = name
    self.isExact = isExact
    self.body = body
  }

  /// Runs it under `strategy` and answers with what it came to, each outcome once; the options of each schedule go into
  /// `tapes`.
  func outcomes(
    _ strategy: any SchedulingStrategy, into tapes: Tapes? = nil, schedules: Int = 1_000_000,
    seed: UInt64 = 0,
    options: Simulation.Options = Simulation.Options(steps: .atomic)
  ) -> (outcomes: Set<String>, report: Explorer.Report) {
    outcomes(strategy, options) { explorer in
      explorer.budget.schedules = schedules
      explorer.seed = seed
      explorer.record(into: tapes)
    }
  }

  /// The same until `strategy` has nothing left, whatever it violates, where steps may overlap.
  func allOutcomes(
    _ strategy: any SchedulingStrategy, schedules: Int = 20_000,
    steps: Simulation.Options.Steps = .preemptible
  ) -> (outcomes: Set<String>, report: Explorer.Report) {
    outcomes(strategy, Simulation.Options(steps: steps)) { explorer in
      explorer.budget.schedules = schedules
      explorer.budget.violationsToFind = nil
      explorer.budget.shrinkingExecutions = 0
    }
  }

  private func outcomes(
    _ strategy: any SchedulingStrategy, _ options: Simulation.Options, _ set: (inout Explorer) -> Void
  ) -> (outcomes: Set<String>, report: Explorer.Report) {
    let found = Found()
    let body = body
    var explorer = Explorer(name: name, options: options.checked) { simulation in
      let outcome = await body(simulation)
      found.outcomes.withLock { _ = $0.insert(outcome) }
    }
    explorer.strategy = strategy
    set(&explorer)
    let report = explorer.explore()
    return (found.outcomes.withLock { $0 }, report)
  }
}

/// Noted by steps of simulations, side by side: under a lock that is no scheduling point of theirs.
private final class Found: Sendable {
  let outcomes = Simulator.Guarded<Set<String>>([])
}
