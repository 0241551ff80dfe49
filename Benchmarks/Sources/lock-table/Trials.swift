import LockPrograms
import Simulator
import SimulatorStrategies

/// How many schedules it takes to the bug at one level, over seeds.
struct Trials: Codable {
  /// The schedules of each trial that found the bug, in order of size.
  private(set) var counts: [Int] = []
  /// The deviations of the shortest schedule that shows the bug; nil where none does.
  private(set) var deviations: Int?
  /// Under which names the bug was reported.
  private(set) var invariants: Set<String> = []
  private let seeds: Int

  init(_ program: LockProgram, _ steps: Simulation.Options.Steps, _ options: Options) {
    seeds = options.seeds
    for seed in 0..<options.seeds {
      var explorer = program.explorer(.seeded, steps)
      explorer.budget.schedules = options.cap
      // One of the bugs ends the process.
      explorer.isolation = .forks
      explorer.seed = UInt64(seed)
      let report = explorer.explore()
      guard let violation = report.violations.first else { continue }
      counts.append(report.schedules)
      invariants.insert(violation.invariant)
      let found = violation.token.schedule.deviations.count
      deviations = min(found, deviations ?? found)
    }
    counts.sort()
  }

  /// `12 / 40`: the median and the maximum; with the share of trials that found it where some did not; a dash where none
  /// did.
  var text: String {
    guard let last = counts.last else { return "—" }
    let figures = "\(counts[counts.count / 2]) / \(last)"
    return counts.count == seeds ? figures : "\(figures) (\(counts.count) of \(seeds))"
  }

  /// The same with the deviations.
  var textWithDeviations: String { deviations.map { "\(text), \($0)" } ?? text }
}

/// What the twin without the bug does.
struct Silence: Codable {
  /// What it is blamed for, and the schedule; nil where it is silent.
  private(set) var alarm: String?
  /// How many schedules the search of the default settings ran.
  let schedules: Int
  /// How many schedules there are, where all were tried.
  private(set) var exhausted: Int?

  init(_ program: LockProgram, _ options: Options) {
    var explorer = program.explorer(.mended, .asNeeded)
    explorer.budget.schedules = options.silent
    let report = explorer.explore()
    schedules = report.schedules
    explorer.strategy = Strategies.ExhaustiveDFS()
    let search = explorer.explore()
    if search.coverage == .everySchedule { exhausted = search.coveredSchedules }
    alarm = (report.violations.first ?? search.violations.first).map {
      "\($0.invariant): \($0.message) \($0.token)"
    }
  }

  /// `100,000; all 1,702`: how many were silent, and how many there are where that is known.
  var text: String {
    if alarm != nil { return "FAILS" }
    return schedules.formatted + (exhausted.map { "; all \($0.formatted)" } ?? "")
  }
}

extension LockProgram {
  func explorer(_ twin: Twin, _ steps: Simulation.Options.Steps) -> Explorer {
    // No thread of others is awaited at a deadlock: there are none.
    let options = Simulation.Options(foreignThreadTimeout: .zero, steps: steps)
    return Explorer(name: name, options: options) { await body($0, twin) }
  }
}

extension Int {
  var formatted: String {
    self >= 1_000 ? "\((self / 1_000).formatted),\(String(1_000 + self % 1_000).dropFirst())" : "\(self)"
  }
}
