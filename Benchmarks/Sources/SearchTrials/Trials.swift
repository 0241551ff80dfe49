public import Simulator
public import SimulatorStrategies

/// How many schedules it took a strategy to the first bug, over seeds.
public struct Trials: Sendable {
  /// The schedules of each trial that found the bug, in the order of the seeds.
  public private(set) var counts: [Int] = []
  /// How many trials did not.
  public private(set) var misses = 0
  /// How many schedules a trial runs at most.
  public let cap: Int

  /// - Parameters:
  ///   - program: What is searched; its budget, its seed and its strategy are replaced.
  ///   - patience: The trials end after so many if none of them has found anything.
  public init(
    _ program: Explorer, _ strategy: Strategies.Named, seeds: Int, cap: Int, patience: Int = .max
  ) {
    self.init(program, seeds: seeds, cap: cap, patience: patience, strategy.make)
  }

  /// The same for a strategy without a name.
  public init(
    _ program: Explorer, seeds: Int, cap: Int, patience: Int = .max,
    _ strategy: () -> any SchedulingStrategy
  ) {
    self.cap = cap
    for seed in 0..<seeds {
      var explorer = program
      explorer.checksDeterminism = false
      explorer.budget.schedules = cap
      explorer.budget.shrinkingExecutions = 0
      explorer.seed = UInt64(seed)
      explorer.strategy = strategy()
      let report = explorer.explore()
      if report.violations.isEmpty { misses += 1 } else { counts.append(report.schedules) }
      if counts.isEmpty, misses == patience { break }
    }
  }
}

extension Trials {
  /// How many trials there were.
  public var trials: Int { counts.count + misses }

  /// Whether each trial has found the bug.
  public var isComplete: Bool { misses == 0 }

  /// Of each trial the schedules, in order of size; one that found nothing counts as the cap.
  var all: [Int] { (counts + Array(repeating: cap, count: misses)).sorted() }

  /// The mean, a trial that found nothing counting as the cap: where there is such a trial, it is a lower bound.
  public var mean: Double { Double(counts.reduce(0, +) + misses * cap) / Double(trials) }

  /// The median, a trial that found nothing counting as the cap.
  public var median: Double {
    let all = all
    return Double(all[(all.count - 1) / 2] + all[all.count / 2]) / 2
  }

  /// Half the width of the 95 % confidence interval of the mean.
  public var margin: Double {
    guard trials > 1 else { return 0 }
    let variance = all.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(trials - 1)
    return 1.96 * (variance / Double(trials)).squareRoot()
  }
}
