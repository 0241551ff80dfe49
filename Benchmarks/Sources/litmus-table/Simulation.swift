import Litmus
import Simulator
import Synchronization

/// Runs `litmus` under `schedules` random schedules and counts its outcomes.
///
/// An execution without an outcome (a deadlock, a trap) counts under its own words, which no program lists as legal.
func simulate(_ litmus: Litmus, schedules: Int) -> [String: Int]? {
  let outcomes = Outcomes()
  var explorer = Explorer(name: litmus.name) { _ in outcomes.add(await litmus.program()) }
  explorer.budget.schedules = schedules
  explorer.strategy = RandomWalk()
  explorer.budget.stopsAfter = nil
  let report = explorer.explore()
  for violation in report.violations { outcomes.add("\(violation.invariant): \(violation.message)") }
  return outcomes.counts
}

private final class Outcomes: Sendable {
  private let counted = Mutex<[String: Int]>([:])

  var counts: [String: Int] { counted.withLock { $0 } }

  func add(_ outcome: String) { counted.withLock { $0[outcome, default: 0] += 1 } }
}
