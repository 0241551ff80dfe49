internal import Foundation
package import Simulator

/// What a test says about its search.
package struct SearchRequest: Sendable {
  package let schedules: Int
  private let seed: UInt64
  private let strategy: any SchedulingStrategy
  private let exhaustsDeviations: Int?
  /// Recorded schedules that are tried first, as they were written.
  package let replays: [String]

  package init(
    schedules: Int, seed: UInt64, strategy: any SchedulingStrategy, exhaustsDeviations: Int?,
    replays: [String] = []
  ) {
    self.replays = replays
    self.schedules = schedules
    self.seed = seed
    self.strategy = strategy
    self.exhaustsDeviations = exhaustsDeviations
  }

  /// Why the search would try nothing; nil if it tries something.
  package var flaw: String? {
    if schedules < 1 { return "`schedules: \(schedules)` tries nothing; it is 1 at least" }
    for text in replays {
      do { _ = try Schedule.Token(parsing: text) } catch {
        return "“\(text)” in `replays` is no schedule: \(error); paste the token of a failed search"
      }
    }
    guard let exhaustsDeviations, exhaustsDeviations < 0 else { return nil }
    return "`exhaustsDeviations: \(exhaustsDeviations)` covers nothing; it is 0 at least"
  }

  /// Searches with `explorer`, which keeps the settings: it can replay what the search found.
  package func explore(with explorer: inout Explorer) -> Explorer.Report {
    explorer.seed = seed
    explorer.strategy = strategy
    // The recorded schedules come on top: the search keeps its budget.
    explorer.budget.schedules = schedules + tokens.count
    explorer.budget.exhaustsDeviations = exhaustsDeviations
    explorer.first = tokens.map(\.schedule)
    let report = explorer.explore()
    if Self.tellsCoverage, report.holds { print(report) }
    return report
  }

  /// The recorded schedules, and where each parts from its recording if it does and violates nothing. One of the other
  /// build is only tried.
  package func parted(with explorer: Explorer) -> [(text: String, divergence: Explorer.Divergence?)] {
    zip(replays, tokens).filter { $0.1.build == .current }.map { text, token in
      let result = explorer.replay(token)
      return (text, result.execution.violations.isEmpty ? result.divergence : nil)
    }
  }

  private var tokens: [Schedule.Token] { replays.compactMap { try? Schedule.Token(parsing: $0) } }

  /// Whether a search that violates nothing prints what it covered.
  private static let tellsCoverage =
    ProcessInfo.processInfo.environment["SIMULATOR_COVERAGE"].map { !$0.isEmpty && $0 != "0" } ?? false
}

extension Explorer.Divergence {
  /// What is said of a recorded schedule, `text`, that met this.
  package func sentence(about text: String) -> String {
    "the schedule “\(text)” of `replays` parts from its recording and no longer tests what it was recorded for; "
      + "record it anew, or take it out\n\(self)"
  }
}
