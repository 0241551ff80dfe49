package import Simulator

/// Work on the schedules of one test, in a copy of the process if one can be made. If the work ends its process, that
/// is an issue of the test, and the other tests go on. This process does not run the body, so it keeps nothing that the
/// body leaves behind.
package struct ContainedSearch {
  /// The result of the work.
  package struct Done<Answer> {
    package let answer: Answer
    /// True if this process did the work.
    package let isHere: Bool
    /// True if the work harms its process, so that this process must not run any of it.
    package let isHarmful: Bool
    /// A warning if the work was to be contained, and could not be.
    package let warning: String?

    init(answer: Answer, isHere: Bool, warning: String?, isHarmful: Bool = false) {
      (self.answer, self.isHere, self.warning, self.isHarmful) = (answer, isHere, warning, isHarmful)
    }
  }

  private struct Answered<Answer: Codable>: Codable {
    let answer: Answer
    let isHarmful: Bool
  }

  private(set) var explorer: Explorer
  let isContained: Bool
  var limits = Explorer.ProcessLimits.usual

  /// Creates work with `explorer`, which runs in this process only, unless it `isContained`.
  package init(_ explorer: Explorer, isContained: Bool) {
    self.explorer = explorer
    self.isContained = isContained
  }

  /// Returns what `search` finds. If it shows that what executions leave behind hides something, it runs again, with a
  /// fresh process for each execution.
  package func search<Found: RelayedFindings>(_ search: (inout Explorer) -> Found) -> Done<Found> {
    var contained = self
    contained.explorer.comparesWithFresh = isContained
    let begin = ContinuousClock.now
    let done = contained.run(unless: \.findings.isCancelled, lost: Found.init(lost:), search)
    guard done.answer.findings.report.isToBeMadeFresh else { return done }
    contained.explorer.comparesWithFresh = false
    contained.explorer.freshness = .everyExecution
    if let time = explorer.budget.time {
      contained.explorer.budget.time = max(.milliseconds(1), time - begin.duration(to: .now))
    }
    return contained.run(unless: \.findings.isCancelled, lost: Found.init(lost:), search)
  }

  /// Returns the result of `work`, or what `lost` makes of the report so far if its copies came to no result. The work
  /// is done in this process if the result of a copy `isNotEnough`.
  package func run<Answer: Codable>(
    unless isNotEnough: (Answer) -> Bool = { _ in false }, lost: (Explorer.Report) -> Answer,
    _ work: (inout Explorer) -> Answer
  ) -> Done<Answer> {
    var warning: String?
    if isContained, Containment.refusal == nil {
      let outcome = Containment(limits).run(explorer) { explorer in
        let answer = work(&explorer)
        return Answered(answer: answer, isHarmful: Containment.isSpoiled(by: explorer))
      }
      switch outcome {
      case .answered(let known):
        if !isNotEnough(known.answer) {
          return Done(answer: known.answer, isHere: false, warning: nil, isHarmful: known.isHarmful)
        }
      case .lost(let report):
        return Done(answer: lost(report), isHere: false, warning: nil, isHarmful: true)
      case .refused(let why): warning = "not contained, so a trap would have ended the process: \(why)"
      }
    }
    var explorer = explorer
    return Done(answer: work(&explorer), isHere: true, warning: warning)
  }
}

extension Explorer {
  /// Replays the schedules of `findings` in this process, one after another, and returns the `evidence` after each:
  /// what the body recorded. Their output is shown. Schedules that end their process have no evidence, nor do built-in
  /// checks other than a thrown error.
  package func evidence<Evidence>(
    for findings: SearchFindings, _ evidence: (_ invariant: String) -> Evidence?
  ) -> [String: Evidence] {
    var found: [String: Evidence] = [:]
    for violation in findings.report.violations where !findings.deadly.contains(violation.token) {
      guard violation.mayHaveEvidence else { continue }
      Containment.speak()
      replayHere(violation.token)
      found[violation.invariant] = evidence(violation.invariant)
    }
    return found
  }

  /// Replays a schedule in this process.
  @discardableResult
  package func replayHere(_ token: Schedule.Token) -> Explorer.ReplayResult {
    var explorer = self
    explorer.freshness = .unchecked
    return explorer.replay(token)
  }
}

extension Simulation.Execution {
  /// True if it ends its process, or never ends.
  package var isDeadly: Bool { violations.contains(where: \.isDeadly) }
}

extension Invariant.Violation {
  /// True if the body may have recorded something, or thrown an error, when it is violated.
  var mayHaveEvidence: Bool {
    invariant == Invariant.BuiltIn.throws || !Invariant.BuiltIn.checks.contains { $0.name == invariant }
  }

  /// True if it means that its process ends, or that a step never does.
  var isDeadly: Bool { [Invariant.BuiltIn.noCrash, Invariant.BuiltIn.noHang].contains(invariant) }
}
