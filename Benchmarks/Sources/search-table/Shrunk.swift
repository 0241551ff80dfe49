import Foundation
import Simulator
import TwinPrograms

/// How small shrinking makes the bug of a program, with default settings, over seeds.
struct Shrunk {
  private let program: TwinProgram
  private let trials: [Trial]
  private let misses: Int

  /// One bug that was found and made smaller.
  private struct Trial {
    let found: Int
    let left: Int
    let isProved: Bool
    let executions: Int
    /// What shrinking added to the time of the search.
    let seconds: Double
  }

  init(_ program: TwinProgram, _ options: Options) {
    self.program = program
    let all = (0..<options.seeds).map { Self.trial(program, seed: UInt64($0), options) }
    trials = all.compactMap(\.self)
    misses = all.count - trials.count
  }

  /// Runs the search twice, because only the second run makes smaller what it finds; nil where nothing is found.
  private static func trial(_ program: TwinProgram, seed: UInt64, _ options: Options) -> Trial? {
    var explorer = program.explorer(.seeded)
    explorer.seed = seed
    explorer.budget.schedules = options.cap
    let limit = options.limit ?? explorer.budget.shrinkingExecutions
    let clock = ContinuousClock()
    explorer.budget.shrinkingExecutions = 0
    let plain = clock.measure { _ = explorer.explore() }
    explorer.budget.shrinkingExecutions = limit
    var report: Explorer.Report?
    let whole = clock.measure { report = explorer.explore() }
    guard let violation = report?.violations.first, let shrinking = violation.shrinking else { return nil }
    var isProved = false
    if case .proved = shrinking.minimality { isProved = true }
    return Trial(
      found: shrinking.originalSchedule.deviations.count, left: violation.token.schedule.deviations.count,
      isProved: isProved, executions: shrinking.executions, seconds: max(0, (whole - plain) / .seconds(1)))
  }

  /// Whether the median is the fewest.
  var reachesFewest: Bool { median(trials.map { Double($0.left) }) <= Double(program.deviations) }

  static let header = """
    | program | fewest | found with | left, median | left, worst | fewest reached | proved | executions | seconds | longest |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    """

  /// A line of the table.
  var text: String {
    let cells: [String] =
      trials.isEmpty
      ? ["not found"]
      : [
        median(trials.map { Double($0.found) }).shown, median(trials.map { Double($0.left) }).shown,
        "\(trials.map(\.left).max() ?? 0)",
        "\(trials.count { $0.left <= program.deviations }) of \(trials.count)",
        "\(trials.count(where: \.isProved))",
        String(format: "%.0f", median(trials.map { Double($0.executions) })),
        String(format: "%.2f", median(trials.map(\.seconds))),
        String(format: "%.2f", trials.map(\.seconds).max() ?? 0),
      ]
    return "| " + ([program.name, "\(program.deviations)"] + cells).joined(separator: " | ") + " |"
  }
}

private func median(_ values: [Double]) -> Double {
  guard !values.isEmpty else { return 0 }
  let sorted = values.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
