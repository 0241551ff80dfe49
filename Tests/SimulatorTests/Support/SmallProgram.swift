import Simulator
import Synchronization

/// A program small enough to be run under every schedule, and what it came to.
struct SmallProgram: Sendable, CustomStringConvertible {
  let name: String
  /// Whether the reduction tells apart exactly what a report calls behaviours. Not where cancellation, actions, chosen
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

  /// Runs it under `strategy` and answers with what it came to, each outcome once.
  func outcomes(
    _ strategy: any Strategy, schedules: Int = 1_000_000, seed: UInt64 = 0
  ) -> (outcomes: Set<String>, report: Report) {
    let found = Found()
    let body = body
    let report = explore(schedules: schedules, seed: seed, strategy: strategy) { simulation in
      let outcome = await body(simulation)
      found.outcomes.withLock { _ = $0.insert(outcome) }
    }
    return (found.outcomes.withLock { $0 }, report)
  }
}

private final class Found: Sendable {
  let outcomes = Mutex<Set<String>>([])
}
