internal import Foundation

/// Replays one recorded schedule.
struct TokenReplay {
  let token: Schedule.Token
  let runner: Runner
  let access: ProcessAccess
  /// Whether nothing was recorded: the digest of the token is not looked at.
  var isFirst = false

  /// A schedule that parts from its recording is tried once more: the program may not even repeat itself, or it may
  /// need what an earlier execution leaves behind.
  func result() -> Explorer.ReplayResult {
    runner.overlaps = token.schedule.overlaps
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

  /// In this process the first replay has left behind what a recording may need that was made later than first.
  private func second(
    after first: Attempt, _ divergence: Explorer.Divergence, _ isFresh: Bool
  ) -> Explorer.ReplayResult {
    let again = attempt()
    if !isFresh, again.divergence == nil { return result(again, nil, .this) }
    var divergence = divergence
    if again.execution.trace.digest != first.execution.trace.digest {
      divergence.unrepeatable = Explorer.Divergence.between(first.execution, again.execution)
    } else if first.execution.violations.isEmpty, case .trace = divergence.difference {
      return result(first, nil, isFresh ? .fresh : .this)
    }
    return result(first, divergence, isFresh ? .fresh : .this)
  }

  /// For each invariant that the schedule violates the most similar one under which it holds. Not looked for where the
  /// schedule does not decide, nor where each try takes seconds.
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

  /// Whether the schedule does what was recorded in a process that has run the natural order before it.
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
  /// What a replay led to.
  public struct ReplayResult: Codable, Sendable {
    /// Where a schedule was replayed.
    public enum Process: Hashable, Codable, Sendable {
      /// In a fresh process.
      case fresh
      /// In this process, which may have run something before.
      case this
    }

    /// The execution, events included.
    public let execution: Simulation.Execution
    /// Where it left the recorded one; nil if it did not. A schedule whose every recorded choice was met and that
    /// violates nothing has not left it, whatever its trace.
    public let divergence: Explorer.Divergence?
    /// Where it ran.
    public let process: Process
    /// Whether its trace is the one that was recorded.
    public let isSameTrace: Bool
    /// Where the schedule left the natural order, in words, in order.
    public let deviations: [String]
    let marks: [Invariant.Shrinking.Mark]
    /// The most similar schedules under which what it violates holds; empty unless asked for.
    var nearest: [String: Invariant.NearestPassing] = [:]
    /// What a fresh process is a copy of.
    var freshOrigin = Invariant.Violation.FreshOrigin.search

    /// Where it ran, as a sentence goes on.
    package var processText: String {
      switch process {
      case .fresh: freshOrigin.text
      case .this: "in this process"
      }
    }

    /// What is to be said of a replay that did as recorded and violates nothing; nil of any other.
    public var nothingViolated: String? {
      guard divergence == nil, execution.violations.isEmpty else { return nil }
      return isSameTrace
        ? "nothing is violated, as it was recorded"
        : "nothing is violated any more: every recorded choice was met, and the trace is another than the recorded one"
    }
  }
}

extension Explorer.ReplayResult {
  /// What is known of a replay whose copies of the process came to no answer.
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
        warnings: report.warnings, trace: Trace(), steps: 0, end: .start, vacuous: []),
      divergence: nil, process: .this, isSameTrace: false, deviations: [], marks: [])
  }
}
