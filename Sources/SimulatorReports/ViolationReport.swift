package import Simulator

/// One violation, ready to be shown.
package struct ViolationReport: Hashable, Codable, Sendable {
  package var invariant = ""
  package var isExpected = false
  package var diagnosis: String?
  package var evidence: String?
  package var message = ""
  package var nanoseconds: Int64 = 0
  package var step = 0
  /// The number of the schedule that found it, from 0; nil if a replay has shown it.
  package var number: Int?
  package var shard: Int?
  package var token = ""
  package var isReplayable = false
  package var freshReplay: Invariant.Violation.FreshReplay?
  package var replayCommand = ""
  package var shrinking: ShrinkingReport?
  package var chart: Explorer.Chart?
  package var nearestPassing: NearestPassingReport?
  /// All of this for a person, in 80 columns, without the line that replays it; nil if the violation is not explained.
  package var text: String?

  package init() {}

  /// The diagnosis and what went wrong: the first line of the explanation.
  package var headline: String {
    Explorer.Explanation.headline(diagnosis, message, isShrunk: shrinking != nil)
  }

  /// The text; the headline where the violation is not explained.
  package var explanation: String { text ?? headline }

  /// The moment at which it was noticed, in words.
  package var place: String { "\(VirtualInstant(nanoseconds: nanoseconds)), step \(step)" }
}

extension ViolationReport {
  /// Reports `violation`, which the command `replay` shows again. To explain it takes time: its source lines are looked up.
  package init(_ violation: Invariant.Violation, isExplained: Bool = true, replay: String) {
    self.init(violation, replay: replay)
    (number, isReplayable) = (violation.number, violation.isReducible)
    freshReplay = violation.freshReplay
    shrinking = violation.shrinking.map(ShrinkingReport.init)
    guard isExplained else { return }
    draw(violation, violation.shrinking?.marks ?? [], beside: violation.shrinking?.nearestPassing)
    text = Explorer.Explanation(violation).body
  }

  /// Reports `violation` as a replay has shown it, whose schedule leaves the natural order at `marks`.
  init(
    _ violation: Invariant.Violation, _ marks: [Invariant.Shrinking.Mark],
    beside nearest: Invariant.NearestPassing?, replay: String
  ) {
    self.init(violation, replay: replay)
    draw(violation, marks, beside: nearest)
  }

  private init(_ violation: Invariant.Violation, replay: String) {
    (invariant, diagnosis) = (violation.invariant, violation.diagnosis?.name)
    (evidence, message) = (violation.evidence, violation.message)
    (nanoseconds, step) = (violation.time.nanoseconds, violation.step)
    (token, replayCommand) = ("\(violation.token)", replay)
  }

  private mutating func draw(
    _ violation: Invariant.Violation, _ marks: [Invariant.Shrinking.Mark],
    beside nearest: Invariant.NearestPassing?
  ) {
    let charts = Explorer.Explanation.charts(violation, marks, beside: nearest)
    chart = charts?.failing
    nearestPassing = nearest.map { NearestPassingReport($0, charts?.passing) }
  }
}

/// How the schedule of a violation was made smaller.
package struct ShrinkingReport: Hashable, Codable, Sendable {
  package var found = 0
  package var choices = 0
  package var deviations: [String] = []
  package var minimality = Invariant.Shrinking.Minimality.proved(tried: 0)
  package var drewNumbers = false
  package var isOutOfTime = false
  package var executions = 0
  package var reproduced = 0
  package var replayed = 0

  package init() {}

  init(_ shrinking: Invariant.Shrinking) {
    (found, choices) = (shrinking.originalSchedule.deviations.count, shrinking.choices)
    (deviations, executions) = (shrinking.deviations, shrinking.executions)
    (minimality, drewNumbers) = (shrinking.minimality, shrinking.drewNumbers)
    isOutOfTime = shrinking.isOutOfTime
    (reproduced, replayed) = (shrinking.reproduced, shrinking.replayed)
  }

  /// True if fewer deviations would not do.
  package var isMinimal: Bool {
    switch minimality {
    case .proved: true
    case .exhausted: deviations.isEmpty
    }
  }

  /// What is left, why it is not less, and how reliable it is, a line each.
  var lines: [String] {
    Invariant.Shrinking.lines(
      found, of: choices, to: deviations, minimality, drewNumbers: drewNumbers, isOutOfTime: isOutOfTime,
      reproduced: reproduced, of: replayed)
  }
}

/// The most similar schedule known under which the invariant holds.
package struct NearestPassingReport: Hashable, Codable, Sendable {
  package var token = ""
  package var agreed = 0
  package var passing = ""
  package var failing = ""
  package var chart: Explorer.Chart?

  package init() {}

  init(_ nearest: Invariant.NearestPassing, _ chart: Explorer.Chart?) {
    (token, agreed, self.chart) = ("\(nearest.token)", nearest.agreed, chart)
    (passing, failing) = (nearest.passing, nearest.failing)
  }
}
