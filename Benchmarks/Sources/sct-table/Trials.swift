import SCTBench
import Simulator

/// How many schedules it took a strategy to the first bug, over seeds.
struct Trials {
  /// The schedules of each trial that found the bug.
  private(set) var counts: [Int] = []
  /// How many trials did not.
  private(set) var misses = 0
  private let cap: Int

  init(_ program: SCTProgram, _ strategy: Strategies.Named, _ options: Options) {
    cap = options.cap
    for seed in 0..<options.seeds {
      // No thread of others is awaited at a deadlock: there are none.
      let limits = Simulation.Options(patience: .zero, steps: program.steps)
      var explorer = Explorer(name: program.name, options: limits, body: program.body)
      explorer.checksDeterminism = false
      explorer.budget.schedules = options.cap
      explorer.budget.shrinking = 0
      explorer.seed = UInt64(seed)
      explorer.strategy = strategy.make()
      let report = explorer.explore()
      if report.violations.isEmpty { misses += 1 } else { counts.append(report.schedules) }
      // What is never found need not be looked for two hundred times.
      if counts.isEmpty, misses == 20 { break }
    }
  }

  var trials: Int { counts.count + misses }

  /// The mean, a trial that found nothing counting as the cap; the first is a lower bound then.
  private var mean: Double { Double(counts.reduce(0, +) + misses * cap) / Double(trials) }

  /// Half the width of the 95 % confidence interval of the mean.
  private var margin: Double {
    guard trials > 1 else { return 0 }
    let all = counts + Array(repeating: cap, count: misses)
    let variance = all.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(trials - 1)
    return 1.96 * (variance / Double(trials)).squareRoot()
  }

  var isComplete: Bool { misses == 0 }

  var meanSchedules: Int { Int(mean.rounded()) }

  /// `12 ± 1`; with the share of trials that found it where some did not; a dash where none did.
  var text: String {
    guard !counts.isEmpty else { return "– (0/\(trials))" }
    let figure = "\(Int(mean.rounded())) ± \(Int(margin.rounded(.up)))"
    return isComplete ? figure : "≥ \(figure) (\(counts.count)/\(trials))"
  }
}
