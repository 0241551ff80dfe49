package import Simulator

/// A test, or one argument of it, identified in the same way in two processes.
package struct FreshSubject: Sendable {
  package let id: String
  /// The arguments with which the test runner runs this test alone.
  package let arguments: [String]

  package init(id: String, arguments: [String]) {
    (self.id, self.arguments) = (id, arguments)
  }
}

/// The purpose for which a fresh process is made.
package struct FreshRequest: Codable, Sendable {
  package enum Aim: Codable, Sendable {
    /// To show these violations again; if one does not appear, the search runs again.
    case confirm([Suspect])
    /// To replay the schedule that the test names.
    case replay
  }

  package struct Suspect: Codable, Sendable {
    let invariant: String
    let token: Schedule.Token
  }

  package let subject: String
  package let aim: Aim

  /// The request for which this process was made; nil if it is an ordinary test process.
  package static let here: FreshRequest? = FreshProcess.isHere ? FreshProcess.request() : nil

  /// Returns true if this process was made for another test, or another argument of one, so that this subject must do
  /// nothing in it.
  package static func isForAnother(than subject: @autoclosure () -> FreshSubject) -> Bool {
    guard FreshProcess.isHere else { return false }
    guard here?.subject == subject().id else { return true }
    FreshProcess.begin()
    return false
  }
}

/// The findings of a search, as one process passes them to another.
package protocol RelayedFindings: Codable, Sendable {
  associatedtype Evidence: Codable & Sendable

  var findings: SearchFindings { get set }
  /// The evidence that the test would have shown without simulation, by the invariant that it violates.
  var evidence: [String: Evidence] { get set }

  /// Creates the findings of a search whose copies came to no result.
  init(lost report: Explorer.Report)
}

/// The answer of a fresh process.
package enum FreshAnswer<Found: RelayedFindings>: Codable, Sendable {
  /// Each violation was shown again, with this evidence.
  case confirmed([String: Found.Evidence])
  /// The search ran again.
  case found(Found)
}

extension ContainedSearch {
  /// Returns what a fresh process makes of `found`: the same findings, or those of a search there, which then count. If
  /// there is no such process, returns `found`, which then does not claim one.
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

  /// Returns the answer of a test's fresh process; nil if there is none.
  package func ask<Answer: Codable>(_ aim: FreshRequest.Aim, of subject: FreshSubject) -> Answer? {
    guard isContained, Containment.refusal == nil, FreshProcess.canBeHad,
      let process = FreshProcess(arguments: subject.arguments)
    else { return nil }
    return process.answer(to: FreshRequest(subject: subject.id, aim: aim))
  }

  /// In a fresh process: shows each of `suspects` again in a copy, or runs the `search` again. Asks for the body's
  /// `evidence` after each suspect.
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
    // An escape ends a schedule before it shows anything: an escape here as well does not prove that they are the same.
    if suspects.contains(where: { $0.invariant == Invariant.BuiltIn.escape }) {
      let found = searchAnew()
      guard isDeadlockHere(found.findings.report) else { return .found(found) }
      var here = explorer
      return .found(searchFromHere(&here))
    }
    var found: [String: Found.Evidence] = [:]
    for suspect in suspects {
      var shows = self
      // The search has already waited for the full time that a step may take. A repeated hang need not wait as long.
      if suspect.invariant == Invariant.BuiltIn.noHang {
        shows.limits.stall = min(limits.stall, max(.seconds(1), limits.stall / 5))
      }
      let shown = shows.run(lost: { _ in Shown(isSame: false, evidence: nil) }) {
        $0.shows(suspect, evidence)
      }
      .answer
      guard shown.isSame else { return .found(searchAnew()) }
      found[suspect.invariant] = shown.evidence
    }
    return .confirmed(found)
  }

  /// Returns true if an escape that copies of this process have shown is a deadlock in the process itself. A copy lacks
  /// the threads that could answer. This process has them, and nothing is lost if it hangs. If none of them answers, it
  /// is a deadlock. Whether one answers in time for the simulation to see it is chance: it is an escape all the same.
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

/// The result of a schedule that another process found.
private struct Shown<Evidence: Codable>: Codable {
  /// True if it does the same here.
  let isSame: Bool
  let evidence: Evidence?
}

extension Explorer {
  /// Runs the schedule of `suspect` in this process, which has not run it before, and returns the result.
  fileprivate mutating func shows<Evidence>(
    _ suspect: FreshRequest.Suspect, _ evidence: (_ invariant: String) -> Evidence?
  ) -> Shown<Evidence> {
    // This runs in a child, so that this process still has not run it.
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
  /// True if everything that it found takes long to show again.
  fileprivate var takesLong: Bool {
    let long = [Invariant.BuiltIn.livelock, Invariant.BuiltIn.noCrash]
    return wasCostly && !violations.isEmpty && violations.allSatisfy { long.contains($0.invariant) }
  }
}

extension SearchFindings {
  /// True if other tests of the process could contribute to it.
  fileprivate var isInDoubt: Bool {
    // A violation that takes a minute here takes another minute there, and is hardly caused by another test.
    if isCancelled || report.takesLong { return false }
    return !report.violations.isEmpty || !report.neverHappened.isEmpty
      || parted.contains { $0.divergence != nil }
  }

  /// The violations to show again; empty if one replay would prove nothing.
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

  /// Notes how these findings, from a fresh process, differ from `others`, from the process of the tests.
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
