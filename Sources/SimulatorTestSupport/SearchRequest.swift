internal import Foundation
package import Simulator
package import SimulatorStrategyInterface

/// The settings that a test gives its search.
package struct SearchRequest: Sendable {
  package let schedules: Int
  private let seed: UInt64
  private let strategy: any SchedulingStrategy
  private let exhaustiveDeviationBound: Int?
  /// The tokens of recorded schedules that are tried first, as they were written.
  package let replays: [String]
  /// The real time that the search may take.
  package let time: Duration?

  package init(
    schedules: Int, seed: UInt64, strategy: any SchedulingStrategy, exhaustiveDeviationBound: Int?,
    replays: [String] = [], time: Duration? = nil
  ) {
    self.replays = replays
    self.schedules = schedules
    self.seed = seed
    self.strategy = strategy
    self.exhaustiveDeviationBound = exhaustiveDeviationBound
    self.time = time
  }

  /// A limit of processes that the environment sets to something that is not allowed; nil if it sets none.
  private static let flawOfLimits: String? = {
    let environment = ProcessInfo.processInfo.environment
    return Explorer.ProcessLimits.Variable.allCases.lazy.compactMap { variable in
      variable.flaw(in: environment).map {
        "`\(variable.rawValue)` is “\($0)”; allowed: \(variable.allowedText)"
      }
    }.first
  }()

  /// The reason why the search does not run, such as that it would try nothing; nil if it runs.
  package var flaw: String? {
    if let flaw = Self.flawOfLimits { return flaw }
    if schedules < 1 { return "`schedules: \(schedules)` tries nothing; it is 1 at least" }
    if let time, time <= .zero { return "`timeBudget: \(time)` tries nothing; it is more than zero" }
    for text in replays {
      do { _ = try Schedule.Token(parsing: text) } catch {
        return "“\(text)” in `replays` is no schedule: \(error); paste the token of a failed search"
      }
    }
    guard let exhaustiveDeviationBound, exhaustiveDeviationBound < 0 else { return nil }
    return "`exhaustiveDeviationBound: \(exhaustiveDeviationBound)` covers nothing; it is 0 at least"
  }

  /// Gives `explorer` the settings. `longest` bounds the time if it is less than the search may take.
  package func configure(_ explorer: inout Explorer, atMost longest: Duration? = nil) {
    explorer.seed = seed
    explorer.strategy = strategy
    // The recorded schedules come on top: the search keeps its budget.
    explorer.budget.schedules = schedules + tokens.count
    explorer.budget.exhaustiveDeviationBound = exhaustiveDeviationBound
    explorer.budget.time = [time, longest].compactMap { $0 }.min()
    explorer.firstSchedules = tokens.map(\.schedule)
  }

  /// Searches with `explorer`, which has the settings, and returns the findings.
  package func find(with explorer: Explorer) -> SearchFindings {
    let report = explorer.explore()
    return SearchFindings(
      report: report, parted: report.interruption == .outOfTime ? [] : parted(with: explorer),
      deadly: deadly(in: report, with: explorer))
  }

  /// Returns the schedules of violations that end their process.
  private func deadly(in report: Explorer.Report, with explorer: Explorer) -> Set<Schedule.Token> {
    let tokens = Set(report.violations.map(\.token))
    // Where each execution had a process of its own they harm theirs in more ways than can be told.
    if explorer.freshness == .everyExecution { return tokens }
    let known = Set(report.violations.filter(\.isDeadly).map(\.token))
    // If nothing runs ahead, no other schedule of a report has ended the process.
    if explorer.isolation != .forks { return known }
    // There is no time to try them.
    if report.interruption == .outOfTime { return tokens }
    return known.union(tokens.subtracting(known).filter { explorer.replay($0).execution.isDeadly })
  }

  /// Returns the recorded schedules, each with the place where it departs from its recording, if it does so and
  /// violates nothing. A schedule that the other build recorded is only tried.
  private func parted(with explorer: Explorer) -> [SearchFindings.Replayed] {
    zip(replays, tokens).filter { $0.1.build == .current }.map { text, token in
      let result = explorer.replay(token)
      return SearchFindings.Replayed(
        text: text, divergence: result.execution.violations.isEmpty ? result.divergence : nil)
    }
  }

  private var tokens: [Schedule.Token] { replays.compactMap { try? Schedule.Token(parsing: $0) } }
}

/// The findings of a search.
package struct SearchFindings: Codable, Sendable {
  /// A recorded schedule, replayed.
  package struct Replayed: Codable, Sendable {
    package let text: String
    /// The place where it departed from its recording; nil if it did not.
    package let divergence: Explorer.Divergence?
  }

  package var report: Explorer.Report
  package let parted: [Replayed]
  /// The schedules of violations that end their process.
  package let deadly: Set<Schedule.Token>
  /// The sentence to show if a fresh process shows something different from the process of the tests; nil if it does
  /// not.
  package var keptState: String?
  /// True if the test was canceled in the meantime, by itself.
  package var isCancelled = false

  /// Creates the findings of a search whose copies came to no result. Any of its schedules may end its process.
  package init(lost report: Explorer.Report) {
    self.init(report: report, parted: [], deadly: Set(report.violations.map(\.token)))
  }

  init(report: Explorer.Report, parted: [Replayed], deadly: Set<Schedule.Token>) {
    (self.report, self.parted, self.deadly) = (report, parted, deadly)
  }

  /// The reason why nothing was judged; nil if something was.
  package var unjudged: String? {
    if report.interruption == .notJudged { return "not judged: \(report.warnings.last ?? "")" }
    guard report.violations.isEmpty, report.schedules == 0, report.interruption == .outOfTime else {
      return nil
    }
    return
      "not judged: the time of the search was over before a first schedule had been tried; the test may hang, or "
      + "it needs a longer `timeBudget`"
  }

  /// The reasons why a search that violates nothing has failed all the same; empty if it has not.
  package var failureTexts: [String] { unjudged.map { [$0] } ?? report.failureTexts }

  /// A sentence for each recorded schedule that no longer leads where it was recorded to lead; nil if there is none.
  package var partedText: String? {
    let sentences = parted.compactMap { replayed in replayed.divergence?.sentence(about: replayed.text) }
    return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  /// Prints what the search covered, if it violates nothing and the coverage was requested.
  package func tellCoverage() {
    if Self.tellsCoverage, report.holds {
      print(report)
      for sentence in report.advice.sentences { print("\nwarning: \(sentence)") }
    }
    if report.hasPreemptibleSteps, !Simulation.followsAtomics { Self.tellOfAtomics }
  }

  /// Printed once a process: it is true of the whole build.
  private static let tellOfAtomics: Void = print(
    "note: tasks share locks here, and this build does not follow atomics or data races; "
      + "`-Xswiftc -Xfrontend -Xswiftc -sanitize=thread` does")

  /// The one fact that a person must know about a test that passes; nil if there is none. Requests of the test that
  /// were not met come first, then what it leaves untested.
  package func warning(on search: SearchRequest) -> String? {
    guard report.holds else { return nil }
    return keptState ?? timeRemark ?? report.unjudgedText ?? shortfallRemark(on: search) ?? vacuityRemark
      ?? report.advice.sentence
  }

  private func shortfallRemark(on search: SearchRequest) -> String? {
    guard let shortfall = report.incompleteCoverageText, let remedy = report.remedy else { return nil }
    return "holds in \(search.schedules) schedules, but \(shortfall); \(remedy)"
  }

  /// A sentence about the invariants that had nothing to judge; nil if there is none.
  private var vacuityRemark: String? {
    guard let vacuous = report.vacuousInvariants, !vacuous.isEmpty else { return nil }
    let number = report.schedules == 1 ? "1 schedule" : "\(report.schedules) schedules"
    return
      "holds in \(number), in none of which \(vacuous.sorted().joined(separator: ", ")) had anything to judge"
  }

  /// A sentence about what a search that violates nothing had covered when its time was over; nil if it was not.
  private var timeRemark: String? {
    guard report.holds, report.interruption == .outOfTime else { return nil }
    let number = report.schedules == 1 ? "1 schedule" : "\(report.schedules) schedules"
    let unended = Explorer.Report.unendedExecution
    return "holds in \(number), and then its time was over: \(report.coverageText)"
      + (report.warnings.contains(unended) ? "; \(unended)" : "")
  }

  /// True if a search that violates nothing prints what it covered.
  private static let tellsCoverage =
    ProcessInfo.processInfo.environment["SIMULATOR_COVERAGE"].map { !$0.isEmpty && $0 != "0" } ?? false
}

extension Explorer.Divergence {
  /// Returns the sentence about a recorded schedule, `text`, that met this divergence.
  package func sentence(about text: String) -> String {
    "the schedule “\(text)” of `replays` parts from its recording and no longer tests what it was recorded for; "
      + "record it anew, or take it out\n\(self)"
  }
}
