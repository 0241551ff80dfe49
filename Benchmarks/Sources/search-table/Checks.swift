import Foundation
import Simulator
import SimulatorStrategies
import TwinPrograms

/// What must hold of a program, apart from the table.
protocol Check {
  var passes: Bool { get }
  var text: String { get }
}

/// The twin without the bug must not fail.
struct Silence: Check {
  private let report: Explorer.Report

  init(_ program: TwinProgram, schedules: Int) {
    var explorer = program.explorer(.mended)
    explorer.budget.schedules = schedules
    report = explorer.explore()
  }

  var passes: Bool { report.holds }

  var text: String {
    guard let violation = report.violations.first else { return "silent in \(report.schedules) schedules" }
    return "FAILS \(violation.invariant): \(violation.message) \(violation.token)"
  }
}

/// The bug must show with as many deviations as the program names, and never with fewer.
struct Fewest: Check {
  private let named: Int
  /// The search of all schedules with fewer.
  private let fewer: Explorer.Report
  /// The fewest deviations of a schedule that shows the bug; nil where none was found.
  private let found: Int?

  init(_ program: TwinProgram) {
    named = program.deviations
    var explorer = program.explorer(.seeded)
    explorer.budget.schedules = .max
    explorer.budget.shrinkingExecutions = 0
    explorer.strategy = Strategies.DelayBounded(atMost: named - 1)
    fewer = explorer.explore()
    found = Self.deviations(fewer) ?? Self.shrunk(program, to: named)
  }

  private static func deviations(_ report: Explorer.Report) -> Int? {
    report.violations.first?.token.schedule.deviations.count
  }

  /// The fewest deviations to which shrinking comes, from what it finds with one seed after the other; it ends at `goal`.
  private static func shrunk(_ program: TwinProgram, to goal: Int) -> Int? {
    var fewest: Int?
    for seed in 0..<50 where fewest != goal {
      var explorer = program.explorer(.seeded)
      explorer.budget.schedules = 10_000
      explorer.budget.shrinkingExecutions = 5_000
      explorer.seed = UInt64(seed)
      explorer.strategy = Strategies.RandomWalk()
      if let found = deviations(explorer.explore()) { fewest = min(found, fewest ?? found) }
    }
    return fewest
  }

  private var isCovered: Bool { fewer.coverage == .deviations(atMost: named - 1) }

  var passes: Bool { isCovered && found == named }

  var text: String {
    guard let found else { return "WRONG: its bug was not found" }
    guard found == named else { return "WRONG: shows with \(found) deviations, not \(named)" }
    guard isCovered else { return "WRONG: not every schedule with fewer than \(named) deviations was tried" }
    return "shows with \(named), not with fewer: \(fewer.schedules) schedules"
  }
}

extension Double {
  /// At least three digits, and no more than one behind the point: `7.4`, `12.3`, `380`.
  var shown: String { self < 100 ? String(format: "%.1f", self) : String(format: "%.0f", self) }
}
