import Foundation
import Simulator
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

/// With as many deviations as the program names its bug must show, and with fewer it must not.
struct Fewest: Check {
  private let named: Int
  /// The search of all schedules with fewer.
  private let fewer: Explorer.Report
  /// The search of those with as many; nil where the bug shows with fewer.
  private let asMany: Explorer.Report?

  init(_ program: TwinProgram) {
    named = program.deviations
    fewer = Self.search(program, atMost: named - 1)
    asMany = fewer.violations.isEmpty ? Self.search(program, atMost: named) : nil
  }

  private static func search(_ program: TwinProgram, atMost deviations: Int) -> Explorer.Report {
    var explorer = program.explorer(.seeded)
    explorer.budget.schedules = .max
    explorer.budget.shrinking = 0
    explorer.strategy = Strategies.DelayBounded(atMost: deviations)
    return explorer.explore()
  }

  /// The deviations of the schedule that shows the bug.
  private var found: Int? {
    (fewer.violations.first ?? asMany?.violations.first)?.token.schedule.deviations.count
  }

  private var isCovered: Bool { fewer.coverage == .deviations(atMost: named - 1) }

  var passes: Bool { isCovered && found == named }

  var text: String {
    guard let found else { return "WRONG: nothing with \(named) deviations" }
    guard found == named else { return "WRONG: shows with \(found) deviations, not \(named)" }
    guard isCovered else { return "WRONG: not every schedule with fewer than \(named) deviations was tried" }
    return "shows with \(named), not with fewer: \(fewer.schedules) schedules"
  }
}

extension Double {
  /// At least three digits, and no more than one behind the point: `7.4`, `12.3`, `380`.
  var shown: String { self < 100 ? String(format: "%.1f", self) : String(format: "%.0f", self) }
}
