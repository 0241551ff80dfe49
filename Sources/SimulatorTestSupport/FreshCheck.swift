package import Simulator

/// A test, or one argument of it, as two processes call it.
package struct FreshSubject: Sendable {
  package let id: String
  /// What the test runner is told, so that it runs this test alone.
  package let arguments: [String]

  package init(id: String, arguments: [String]) {
    (self.id, self.arguments) = (id, arguments)
  }
}

/// What a fresh process is made for.
package struct FreshRequest: Codable, Sendable {
  package enum Aim: Codable, Sendable {
    /// These violations are to be shown again; if one is not, the search is made anew.
    case confirm([Suspect])
    /// The schedule is to be replayed that the test names.
    case replay
  }

  package struct Suspect: Codable, Sendable {
    let invariant: String
    let token: Schedule.Token
  }

  package let subject: String
  package let aim: Aim

  /// What this process was made for; nil where it is an ordinary process of tests.
  package static let here: FreshRequest? = FreshProcess.isHere ? FreshProcess.request() : nil

  /// Whether this process, which was made for one test or one argument of it, has nothing to do in any other.
  package static func isForAnother(than subject: @autoclosure () -> FreshSubject) -> Bool {
    guard FreshProcess.isHere else { return false }
    guard here?.subject == subject().id else { return true }
    FreshProcess.begin()
    return false
  }
}

/// What a search has found, as it goes from one process to another.
package protocol RelayedFindings: Codable, Sendable {
  associatedtype Evidence: Codable & Sendable

  var findings: SearchFindings { get set }
  /// What the test would have shown without simulation, by the invariant that it violates.
  var evidence: [String: Evidence] { get set }

  /// What is known of a search whose copies came to no answer.
  init(lost report: Explorer.Report)
}

/// What a fresh process answers.
package enum FreshAnswer<Found: RelayedFindings>: Codable, Sendable {
  /// Each violation was shown again, with this evidence.
  case confirmed([String: Found.Evidence])
  /// The search was made anew.
  case found(Found)
}

extension ContainedSearch {
  /// What a fresh process says of `found`: the same, or what a search there finds, which is what counts. Where there is no
  /// such process, it is what was `found`, and does not claim one.
  package func confirmed<Found: RelayedFindings>(
    _ found: Found, of subject: @autoclosure () -> FreshSubject
  ) -> Found {
    guard found.findings.isInDoubt,
      let answer: FreshAnswer<Found> = ask(.confirm(found.findings.suspects), of: subject())
    else { return found }
    switch answer {
    case .confirmed(let evidence):
      var confirmed = found
      confirmed.findings.confirm()
      confirmed.evidence.merge(evidence) { $1 }
      return confirmed
    case .found(var other):
      other.findings.compare(to: found.findings)
      return other
    }
  }

  /// What the fresh process of a test answers; nil where there is none.
  package func ask<Answer: Codable>(_ aim: FreshRequest.Aim, of subject: FreshSubject) -> Answer? {
    guard isContained, Containment.refusal == nil, FreshProcess.canBeHad,
      let process = FreshProcess(arguments: subject.arguments)
    else { return nil }
    return process.answer(to: FreshRequest(subject: subject.id, aim: aim))
  }

  /// In a fresh process: shows each of `suspects` again in a copy, or makes the `search` anew. The body's `evidence` of what it
  /// shows is asked for after each.
  package func confirm<Found: RelayedFindings>(
    _ suspects: [FreshRequest.Suspect], _ evidence: (_ invariant: String) -> Found.Evidence?,
    or search: (inout Explorer) -> Found
  ) -> FreshAnswer<Found> {
    func searchFromHere(_ explorer: inout Explorer) -> Found {
      explorer.freshOrigin = .program
      return search(&explorer)
    }
    func searchAnew() -> Found { self.search(searchFromHere).answer }
    if suspects.isEmpty { return .found(searchAnew()) }
    // An escape ends a schedule before it shows anything: that one comes here too does not make it the same.
    if suspects.contains(where: { $0.invariant == Invariant.BuiltIn.escape }) {
      let found = searchAnew()
      guard isDeadlockHere(found.findings.report) else { return .found(found) }
      var here = explorer
      return .found(searchFromHere(&here))
    }
    var found: [String: Found.Evidence] = [:]
    for suspect in suspects {
      var shows = self
      // The search has waited for all the time that a step may take. Who does the same here need not.
      if suspect.invariant == Invariant.BuiltIn.noHang { shows.limits.stall /= 10 }
      let shown = shows.run(lost: { _ in Shown(isSame: false, evidence: nil) }) {
        $0.shows(suspect, evidence)
      }
      .answer
      guard shown.isSame else { return .found(searchAnew()) }
      found[suspect.invariant] = shown.evidence
    }
    return .confirmed(found)
  }

  /// Whether an escape that copies of this process have shown is a deadlock in the process itself. A copy lacks the threads that
  /// could answer. This process has them, and nothing is lost with it. If none of them answers, it is a deadlock. Whether one
  /// does so in time for the simulation to see it is chance: it is an escape all the same.
  private func isDeadlockHere(_ report: Explorer.Report) -> Bool {
    OwnThreads.othersLive
      && report.violations.contains { violation in
        violation.invariant == Invariant.BuiltIn.escape
          && explorer.replayHere(violation.token).execution.violations.contains {
            $0.invariant == Invariant.BuiltIn.deadlock
          }
      }
  }
}

/// What a process makes of a schedule that another has found.
private struct Shown<Evidence: Codable>: Codable {
  /// Whether it does the same.
  let isSame: Bool
  let evidence: Evidence?
}

extension Explorer {
  /// What the schedule of `suspect` does in this process, which has not run it.
  fileprivate mutating func shows<Evidence>(
    _ suspect: FreshRequest.Suspect, _ evidence: (_ invariant: String) -> Evidence?
  ) -> Shown<Evidence> {
    // In a child, so that this process still has not run it.
    let result = replay(suspect.token)
    guard let shown = result.execution.violations.first(where: { $0.invariant == suspect.invariant }),
      result.divergence == nil, result.isSameTrace
    else { return Shown(isSame: false, evidence: nil) }
    guard shown.mayHaveEvidence, !result.execution.isDeadly else { return Shown(isSame: true, evidence: nil) }
    replayHere(suspect.token)
    return Shown(isSame: true, evidence: evidence(suspect.invariant))
  }
}

extension Explorer.Report {
  /// Whether all that it found takes long to show again.
  fileprivate var takesLong: Bool {
    let long = [Invariant.BuiltIn.livelock, Invariant.BuiltIn.noCrash]
    return wasCostly && !violations.isEmpty && violations.allSatisfy { long.contains($0.invariant) }
  }
}

extension SearchFindings {
  /// Whether other tests of the process could have a part in it.
  fileprivate var isInDoubt: Bool {
    // What takes a minute here takes another there, and is hardly another test's doing.
    if isCancelled || report.takesLong { return false }
    return !report.violations.isEmpty || !report.neverHappened.isEmpty
      || parted.contains { $0.divergence != nil }
  }

  /// What is to be shown again; nothing where one replay would prove nothing.
  fileprivate var suspects: [FreshRequest.Suspect] {
    let isProvable = report.violations.allSatisfy {
      $0.invariant != Invariant.BuiltIn.nondeterminism && $0.freshReplay != .notShown
    }
    guard isProvable, report.neverHappened.isEmpty, parted.allSatisfy({ $0.divergence == nil }) else {
      return []
    }
    return report.violations.map { FreshRequest.Suspect(invariant: $0.invariant, token: $0.token) }
  }

  fileprivate mutating func confirm() { report.confirmedByFreshProcess() }

  /// These come from a fresh process, and `others` from the process of the tests.
  fileprivate mutating func compare(to others: SearchFindings) {
    func names(_ report: Explorer.Report) -> String {
      (report.violations.map(\.invariant) + report.neverHappened).joined(separator: ", ")
    }
    let before = names(others.report)
    guard names(report) != before, !before.isEmpty else { return }
    keptState =
      "state is kept (a global, a static, a lazy value, a thread): after what else ran in the process of the tests, this test violates "
      + "\(before); what counts is a fresh process"
      + (report.holds ? ", in which it holds" : "")
  }
}
