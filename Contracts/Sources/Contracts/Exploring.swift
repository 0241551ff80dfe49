import Simulator
import Synchronization

/// All that `prove` comes to under the schedules of a small search, and what the search found wrong by itself.
func everyOutcome(
  schedules: Int = 40, _ prove: @escaping @Sendable (Simulation) async -> String
) -> Set<String> {
  let seen = Mutex<Set<String>>([])
  let report = explore(schedules: schedules) { simulation in
    let outcome = await prove(simulation)
    seen.withLock { _ = $0.insert(outcome) }
  }
  let violations = report.violations.map { "violation: \($0.message)" }
  return seen.withLock(\.self).union(violations)
}
