internal import Foundation
package import SimulatorCore
public import SimulatorKernel
internal import SimulatorStrategyInterface

/// Replays one recorded schedule.
struct TokenReplay {
  let token: Schedule.Token
  let runner: Runner
  let access: ProcessAccess
  /// True if nothing was recorded: the digest of the token is not checked.
  var isFirst = false

  /// Replays the schedule. If it departs from its recording, tries it once more: the program may not repeat itself, or it may
  /// need what an earlier execution leaves behind.
  func result() -> Explorer.ReplayResult {
    runner.overlaps = token.schedule.hasPreemptibleSteps
    runner.accessPoints = token.schedule.accessPoints
    var isFresh = false
    if case .granted(let fresh) = access {
      runner.children = fresh
      isFresh = true
    }
    let first = attempt()
    if var divergence = first.divergence {
      if isFresh, case .granted(let fresh) = access, needsKeptState(fresh) {
        divergence.needsKeptState = true
        return result(first, divergence, .fresh)
      }
      return second(after: first, divergence, isFresh)
    }
    return result(first, nil, isFresh ? .fresh : .this)
  }

  /// Replays again. In this process, the first replay left state behind that a recording may need if it was not a first run.
  private func second(
    after first: Attempt, _ divergence: Explorer.Divergence, _ isFresh: Bool
  ) -> Explorer.ReplayResult {
    let again = attempt()
    if !isFresh, again.divergence == nil { return result(again, nil, .this) }
    var divergence = divergence
    if again.execution.trace.digest != first.execution.trace.digest {
      divergence.nondeterminism = Explorer.Divergence.between(first.execution, again.execution)
    } else if first.execution.violations.isEmpty, case .trace = divergence.difference {
      return result(first, nil, isFresh ? .fresh : .this)
    }
    return result(first, divergence, isFresh ? .fresh : .this)
  }

  /// Returns, for each invariant that the schedule violates, the most similar schedule under which it holds. Does not look
  /// for one if the schedule does not decide, or if each try takes seconds.
  func nearestPassing(to result: Explorer.ReplayResult) -> [String: Invariant.NearestPassing] {
    guard result.divergence == nil else { return [:] }
    let reduction = Reduction(runner: runner, seed: 0, limit: 0, time: nil)
    var found: [String: Invariant.NearestPassing] = [:]
    for violation in result.execution.violations
    where violation.isReducible && violation.invariant != Invariant.BuiltIn.noHang {
      found[violation.invariant] = reduction.nearestPassing(token.schedule, violating: violation.invariant)
    }
    return found
  }

  private struct Attempt {
    let execution: Simulation.Execution
    let divergence: Explorer.Divergence?
    let met: [MetDeviation]
  }

  private func attempt() -> Attempt {
    let (execution, replay) = runner.with(LandmarkReplay(.positions(token.schedule))) {
      runner.observe(0, seed: 0)
    }
    return Attempt(
      execution: execution,
      divergence: isFirst
        ? nil : Explorer.Divergence(expected: token, found: execution, steps: replay.stepsAtChoices),
      met: replay.met.filter { $0.deviation.position < execution.choices.count })
  }

  /// Returns true if the schedule does what was recorded in a process that has run the natural order before it.
  private func needsKeptState(_ fresh: FreshProcesses) -> Bool {
    let end = fresh.run {
      _ = runner.with(Strategies.NaturalOrder()) {
        runner.executeHere(0, seed: 0, keepingEvents: false, before: nil)
      }
      let outcome = runner.replaying(token.schedule) {
        runner.executeHere(0, seed: 0, keepingEvents: true, before: nil)
      }
      let isSame = outcome.execution.map { Explorer.Divergence(expected: token, found: $0) == nil } ?? false
      return Data([isSame ? 1 : 0])
    }
    if case .answered(let data) = end { return data == Data([1]) }
    return false
  }

  private func result(
    _ attempt: Attempt, _ divergence: Explorer.Divergence?, _ process: Explorer.ReplayResult.Process
  ) -> Explorer.ReplayResult {
    let trace = attempt.execution.trace
    return Explorer.ReplayResult(
      execution: attempt.execution, divergence: divergence, process: process,
      isSameTrace: isFirst || trace.shortDigest == token.digest,
      deviations: attempt.met.map { $0.words(in: trace, among: attempt.met) }, marks: attempt.met.map(\.mark))
  }
}

extension Explorer {
  /// The result of a replay.
  public struct ReplayResult: Codable, Sendable {
    /// The process in which a schedule was replayed.
    public enum Process: Hashable, Codable, Sendable {
      /// In a fresh process.
      case fresh
      /// In this process, which may have run something before.
      case this
    }

    /// The execution, events included.
    public let execution: Simulation.Execution
    /// The place where the execution departed from the recorded one; nil if it did not. A schedule that met every recorded
    /// choice and violates nothing has not departed from it, whatever its trace.
    public let divergence: Explorer.Divergence?
    /// The process in which it ran.
    public let process: Process
    /// True if its trace is the recorded one.
    public let isSameTrace: Bool
    /// The places where the schedule departed from the natural order, in words, in order.
    public let deviations: [String]
    package let marks: [Invariant.Shrinking.Mark]
    /// The most similar schedules under which the violated invariants hold; empty unless asked for.
    package internal(set) var nearest: [String: Invariant.NearestPassing] = [:]
    /// The origin of a fresh process, which is a copy.
    var freshOrigin = Invariant.Violation.FreshOrigin.search

    /// The process in which it ran, in words that continue a sentence.
    package var processText: String {
      switch process {
      case .fresh: freshOrigin.text
      case .this: "in this process"
      }
    }

    /// The sentence for a replay that did as recorded and violates nothing; nil for any other.
    public var nothingViolatedText: String? {
      guard divergence == nil, execution.violations.isEmpty else { return nil }
      return isSameTrace
        ? "nothing is violated, as it was recorded"
        : "nothing is violated any more: every recorded choice was met, and the trace is another than the recorded one"
    }
  }
}

extension Explorer.ReplayResult {
  /// Makes the result of a replay whose copies of the process gave no answer.
  package init(lost token: Schedule.Token, _ report: Explorer.Report) {
    let unjudged = Invariant.Violation(
      invariant: Invariant.BuiltIn.noCrash,
      diagnosis: Invariant.BuiltIn.diagnosis(of: Invariant.BuiltIn.noCrash),
      message: report.warnings.last ?? "the replay did not end", time: .start, step: 0, number: 0,
      token: token, trace: Trace())
    let violations = report.violations.isEmpty ? [unjudged] : report.violations
    self.init(
      execution: Simulation.Execution(
        schedule: token.schedule, choices: [], ending: .died, violations: violations,
        warnings: report.warnings, trace: Trace(), steps: 0, endTime: .start, vacuousInvariants: []),
      divergence: nil, process: .this, isSameTrace: false, deviations: [], marks: [])
  }
}
