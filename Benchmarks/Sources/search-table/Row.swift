import Foundation
import SearchTrials
import Simulator
import SimulatorStrategies
import TwinPrograms

/// A program, and how long each strategy took to its bug.
struct Row {
  let program: TwinProgram
  let trials: [(strategy: String, trials: Trials)]

  init(_ program: TwinProgram, _ options: Options) {
    self.program = program
    trials = options.strategies.compactMap { name in
      Strategies.Named.named(name).map {
        (name, Trials(program.explorer(.seeded), $0, seeds: options.seeds, cap: options.cap))
      }
    }
  }

  var text: String {
    "\(program.name), \(program.deviations) deviation(s): "
      + trials.map { "\($0.strategy) \($0.trials.text)" }.joined(separator: ", ")
  }

  /// The mean of the portfolio as a multiple of that of the best other strategy; nil where one of them is missing.
  var ratio: Double? {
    let portfolio = trials.first { $0.strategy == Self.portfolio }
    let best = trials.lazy.filter { $0.strategy != Self.portfolio }.map(\.trials.mean).min()
    guard let portfolio, let best else { return nil }
    return portfolio.trials.mean / best
  }

  private static let portfolio = "portfolio"
}

extension Trials {
  /// `12.4 / 9`: the mean and the median; with the share of the trials that found the bug where some did not.
  var text: String {
    let figures = "\(mean.shown) / \(median.shown)"
    return isComplete ? figures : "≥ \(figures) (\(counts.count)/\(trials))"
  }
}

/// What the rows come to.
struct Summary {
  /// Of each strategy the geometric mean of its means over the programs, and whether a trial found nothing.
  let means: [(strategy: String, mean: Double, isComplete: Bool)]
  /// The portfolio beside the best other strategy of each program: the geometric mean of the ratios, and the largest.
  let ratio: (mean: Double, worst: Double, program: String)?

  init(_ rows: [Row]) {
    means = (rows.first?.trials ?? []).indices.map { index in
      let column = rows.map { $0.trials[index].trials }
      return (
        rows[0].trials[index].strategy, geometricMean(column.map(\.mean)), column.allSatisfy(\.isComplete)
      )
    }
    let ratios = rows.compactMap { row in row.ratio.map { (ratio: $0, name: row.program.name) } }
    ratio = ratios.max { $0.ratio < $1.ratio }.map {
      (geometricMean(ratios.map(\.ratio)), $0.ratio, $0.name)
    }
  }

  var text: String {
    "geometric mean: "
      + means.map { "\($0.strategy) \(Self.shown($0.mean, $0.isComplete))" }.joined(separator: ", ")
      + (ratioText.map { "\n\($0)" } ?? "")
  }

  /// The portfolio beside the best other strategy, in words; nil where there is none to compare.
  var ratioText: String? {
    ratio.map {
      "portfolio beside the best other strategy of each program: \($0.mean.shown) times its schedules on the "
        + "geometric mean, at worst \($0.worst.shown) times (\($0.program))"
    }
  }

  static func shown(_ mean: Double, _ isComplete: Bool) -> String { (isComplete ? "" : "≥ ") + mean.shown }
}

private func geometricMean(_ values: [Double]) -> Double {
  exp(values.map { log($0) }.reduce(0, +) / Double(values.count))
}
