import Foundation
import Simulator
import SimulatorStrategies

/// How many times the schedules of one strategy another one takes, over programs: the geometric mean of the ratios, with
/// its 95 % interval.
///
/// The interval is a bootstrap: the trials of each program and strategy are drawn again with replacement, and the ratio
/// is reckoned anew, two thousand times (Efron, Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13).
public struct Comparison: Sendable {
  public let ratio: Double
  public let low: Double
  public let high: Double

  private static let resamples = 2_000

  /// - Parameter pairs: For each program the trials of the one and those of the other.
  public init(_ pairs: [(one: Trials, other: Trials)]) {
    let samples = pairs.map { ($0.one.all, $0.other.all) }
    ratio = Self.ratio(samples)
    var random = Strategies.SplitMix64(state: 0)
    let ratios = (0..<Self.resamples).map { _ in
      Self.ratio(samples.map { (Self.drawn($0.0, &random), Self.drawn($0.1, &random)) })
    }.sorted()
    low = ratios[Self.resamples / 40]
    high = ratios[Self.resamples - 1 - Self.resamples / 40]
  }

  private static func drawn(_ sample: [Int], _ random: inout Strategies.SplitMix64) -> [Int] {
    sample.map { _ in sample[random.below(sample.count)] }
  }

  private static func ratio(_ samples: [([Int], [Int])]) -> Double {
    let logs = samples.map { log(mean($0.1) / mean($0.0)) }
    return exp(logs.reduce(0, +) / Double(logs.count))
  }

  private static func mean(_ sample: [Int]) -> Double { Double(sample.reduce(0, +)) / Double(sample.count) }
}
