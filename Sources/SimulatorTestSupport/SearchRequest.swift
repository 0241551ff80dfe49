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
  /// How much real time the search may take.
  package let time: Duration?

  package init(
    schedules: Int, seed: UInt64, strategy: any SchedulingStrategy, exhaustsDeviations: Int?,
    replays: [String] = [], time: Duration? = nil
  ) {
    self.replays = replays
    self.schedules = schedules
    self.seed = seed
    self.strategy = strategy
    self.exhaustsDeviations = exhaustsDeviations
    self.time = time
  }

  /// Why the search would try nothing; nil if it tries something.
  package var flaw: String? {
    if schedules < 1 { return "`schedules: \(schedules)` tries nothing; it is 1 at least" }
    if let time, time <= .zero { return "`timeBudget: \(time)` tries nothing; it is more than zero" }
    for text in replays {
      do { _ = try Schedule.Token(parsing: text) } catch {
        return "“\(text)” in `replays` is no schedule: \(error); paste the token of a failed search"
      }
    }
    guard let exhaustsDeviations, exhaustsDeviations < 0 else { return nil }
    return "`exhaustsDeviations: \(exhaustsDeviations)` covers nothing; it is 0 at least"
  }

  /// Gives `explorer` the settings, with what is left of `longest` if that is less than the search may take.
  package func configure(_ explorer: inout Explorer, atMost longest: Duration? = nil) {
    explorer.seed = seed
    explorer.strategy = strategy
    // The recorded schedules come on top: the search keeps its budget.
    explorer.budget.schedules = schedules + tokens.count
    explorer.budget.exhaustsDeviations = exhaustsDeviations
    explorer.budget.time = [time, longest].compactMap { $0 }.min()
    explorer.first = tokens.map(\.schedule)
  }

  /// What `explorer`, which has the settings, finds.
  package func find(with explorer: Explorer) -> SearchFindings {
    let report = explorer.explore()
    // Where nothing runs ahead, no schedule of a report has ended the process.
    let tokens = explorer.isolation == .forks ? report.violations.map(\.token) : []
    return SearchFindings(
      report: report, parted: parted(with: explorer),
      deadly: Set(tokens.filter { explorer.replay($0).execution.isDeadly }))
  }

  /// The recorded schedules, and where each parts from its recording if it does and violates nothing. One of the other
  /// build is only tried.
  private func parted(with explorer: Explorer) -> [SearchFindings.Replayed] {
    zip(replays, tokens).filter { $0.1.build == .current }.map { text, token in
      let result = explorer.replay(token)
      return SearchFindings.Replayed(
        text: text, divergence: result.execution.violations.isEmpty ? result.divergence : nil)
    }
  }

  private var tokens: [Schedule.Token] { replays.compactMap { try? Schedule.Token(parsing: $0) } }
}

/// What a search has found.
package struct SearchFindings: Codable, Sendable {
  /// A recorded schedule, replayed.
  package struct Replayed: Codable, Sendable {
    package let text: String
    /// Where it parted from its recording; nil if it did not.
    package let divergence: Explorer.Divergence?
  }

  package internal(set) var report: Explorer.Report
  package let parted: [Replayed]
  /// The schedules of violations that end their process.
  package let deadly: Set<Schedule.Token>
  /// What is said where a fresh process shows something else than the process of the tests; nil where it does not.
  package var keptState: String?
  /// Whether the test has been cancelled meanwhile, by itself.
  package var isCancelled = false

  /// Prints what the search covered, where it violates nothing and that is asked for.
  package func tellCoverage() {
    if Self.tellsCoverage, report.holds { print(report) }
  }

  /// What a search that violates nothing has left open; nil if it has done all that it was to do.
  package func remark(on search: SearchRequest) -> String? {
    guard report.holds else { return nil }
    if let timeRemark { return timeRemark }
    guard let shortfall = report.shortfall, let remedy = report.remedy else { return vacuityRemark }
    return "holds in \(search.schedules) schedules, but \(shortfall); \(remedy)"
  }

  /// The invariants that hold in vain; nil where there is none.
  private var vacuityRemark: String? {
    guard let vacuous = report.vacuous, !vacuous.isEmpty else { return nil }
    let number = report.schedules == 1 ? "1 schedule" : "\(report.schedules) schedules"
    return
      "holds in \(number), in none of which \(vacuous.sorted().joined(separator: ", ")) had anything to judge"
  }

  /// What a search that violates nothing has covered when its time was over; nil if it was not.
  package var timeRemark: String? {
    guard report.holds, report.interruption == .outOfTime else { return nil }
    let number = report.schedules == 1 ? "1 schedule" : "\(report.schedules) schedules"
    return "holds in \(number), and then its time was over: \(report.coverageText)"
  }

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
