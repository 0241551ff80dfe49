internal import Simulator
internal import SimulatorTestSupport
internal import XCTest

/// The message of an assertion, and its place.
struct Failure: Codable, Sendable {
  let message: String
  let file: String
  let line: Int
}

extension Failure {
  /// The name of the invariant that a failing line violates.
  var invariantName: String { "assertion at \(file.split(separator: "/").last ?? ""):\(line)" }
}

/// The failure or skip that the test would have shown without simulation.
struct Evidence: Codable, Sendable {
  /// The reason why the body skips the test.
  struct Skip: Codable, Sendable {
    let message: String?
  }

  var failure: Failure?
  var skip: Skip?

  /// Collects the evidence of `invariant` from the last schedule that ran; nil if there is none.
  init?(of invariant: String, in held: HeldFailures<Failure>) {
    failure = held.failure(of: invariant)
    if invariant == Invariant.BuiltIn.throws, let error = held.error as? XCTSkip {
      skip = Skip(message: error.message)
    }
    if failure == nil, skip == nil { return nil }
  }
}

/// The findings of a search of one method, with what its body asserted. The process that searches passes them to the
/// one in which the method must fail.
struct CaseFindings: RelayedFindings {
  var findings: SearchFindings
  var evidence: [String: Evidence]
}

extension CaseFindings {
  init(lost report: Explorer.Report) { self.init(findings: SearchFindings(lost: report), evidence: [:]) }
}

/// The result of a replay, with what the body asserted.
struct ReplayFindings: Codable, Sendable {
  let result: Explorer.ReplayResult
  let evidence: [String: Evidence]
}

extension ReplayFindings {
  /// Creates the findings of a replay whose copies came to no result.
  init(lost token: Schedule.Token, _ report: Explorer.Report) {
    self.init(result: Explorer.ReplayResult(lost: token, report), evidence: [:])
  }
}

/// Counts the searches of each method.
struct Turns: Sendable {
  private let turns = Guarded<[String: Int]>([:])

  /// Returns the number of the next search of `method`.
  func next(of method: String) -> Int {
    turns.withLock { turns in
      turns[method, default: 0] += 1
      return turns[method] ?? 0
    }
  }
}

extension SimulatedTestCase {
  private static let turns = Turns()

  /// Returns the subject that identifies the next search in two processes; nil if this process was made for another.
  func nextSubject() -> FreshSubject? {
    let method = "\(String(reflecting: type(of: self)))/\(name.split(separator: ".").last ?? "")"
    let subject = FreshSubject(
      id: "\(method) \(Self.turns.next(of: method))", arguments: [CommandLine.arguments[0], method])
    return FreshRequest.isForAnother(than: subject) ? nil : subject
  }

  /// Searches. Runs in the process that searches.
  func find(_ search: SearchRequest, with explorer: Explorer) -> CaseFindings {
    let findings = search.find(with: explorer)
    return CaseFindings(
      findings: findings,
      evidence: explorer.evidence(for: findings) { Evidence(of: $0, in: held) })
  }

  /// Replays. Runs in the process that replays.
  func replay(_ token: Schedule.Token, with explorer: inout Explorer) -> ReplayFindings {
    if FreshProcess.isHere { explorer.freshOrigin = .program }
    let result = explorer.replay(token, comparing: TestPage.isWanted)
    var evidence: [String: Evidence] = [:]
    if !result.execution.isDeadly, !result.execution.violations.isEmpty {
      explorer.replayHere(token)
      for violation in result.execution.violations {
        evidence[violation.invariant] = Evidence(of: violation.invariant, in: held)
      }
    }
    return ReplayFindings(result: result, evidence: evidence)
  }
}
