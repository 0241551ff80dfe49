import Litmus
import Simulator
import SimulatorStrategies
import Synchronization

/// Runs `litmus` under `schedules` random schedules and counts its outcomes.
func simulate(_ litmus: Litmus, schedules: Int) -> [String: Int] {
  run(litmus, Strategies.RandomWalk(), schedules).counts
}

/// The same with steps that overlap, and a depth-first search of as many schedules besides, unless a task spins.
func simulateOverlapping(_ litmus: Litmus, schedules: Int) -> [String: Int] {
  let random = run(litmus, Strategies.RandomWalk(), schedules, steps: .preemptible).counts
  if litmus.spins { return random }
  let depthFirst = run(litmus, Strategies.ExhaustiveDFS(), schedules, steps: .preemptible).counts
  return random.merging(depthFirst, uniquingKeysWith: +)
}

/// What two searches that end by themselves showed.
struct Searches {
  let reduced: Search
  let depthFirst: Search
  /// Whether steps overlapped.
  let overlapping: Bool

  /// Runs both over `litmus`, each for at most `schedules` schedules.
  init(_ litmus: Litmus, schedules: Int, overlapping: Bool) {
    self.overlapping = overlapping
    let steps: Simulation.Options.Steps = overlapping ? .preemptible : .atomic
    reduced = Search(litmus, Strategies.ExhaustiveReduced(), schedules, steps)
    depthFirst = Search(litmus, Strategies.ExhaustiveDFS(), schedules, steps)
  }
}

/// What a search showed, and whether it came to its end.
struct Search {
  let outcomes: Set<String>
  let schedules: Int
  let hasEnded: Bool
  /// Through what steps share state that the search does not follow, so that it claims nothing; nil if there is no such
  /// thing.
  let unseen: String?

  fileprivate init(
    _ litmus: Litmus, _ strategy: any SchedulingStrategy, _ schedules: Int, _ steps: Simulation.Options.Steps
  ) {
    let (counts, report) = run(litmus, strategy, schedules, steps: steps)
    outcomes = Set(counts.keys)
    self.schedules = report.schedules
    hasEnded = report.coverage != nil
    unseen = report.untrackedSharing
  }

  /// How many schedules that took, or that they did not suffice.
  var text: String {
    hasEnded ? "\(schedules)" : unseen.map { "no claim because of \($0)" } ?? "more than \(schedules)"
  }
}

/// An execution without an outcome (a deadlock, a trap) counts under its own words, which no program lists as legal.
private func run(
  _ litmus: Litmus, _ strategy: any SchedulingStrategy, _ schedules: Int,
  steps: Simulation.Options.Steps = .atomic
) -> (counts: [String: Int], report: Explorer.Report) {
  let outcomes = Outcomes()
  var explorer = Explorer(name: litmus.name, options: Simulation.Options(steps: steps)) { _ in
    outcomes.add(await litmus.program())
  }
  explorer.budget.schedules = schedules
  explorer.strategy = strategy
  explorer.budget.violationsToFind = nil
  let report = explorer.explore()
  for violation in report.violations { outcomes.add("\(violation.invariant): \(violation.message)") }
  return (outcomes.counts, report)
}

private final class Outcomes: Sendable {
  private let counted = Mutex<[String: Int]>([:])

  var counts: [String: Int] { counted.withLock { $0 } }

  func add(_ outcome: String) { counted.withLock { $0[outcome, default: 0] += 1 } }
}
