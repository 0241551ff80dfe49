internal import Simulator
internal import SimulatorTestSupport
internal import Testing

/// One test, or one argument of it, under simulation.
struct Session: Sendable {
  typealias Body = @Sendable @concurrent () async throws -> Void

  let test: Test
  let testCase: Test.Case?
  let options: Simulation.Options
  private let held: HeldIssues

  init(test: Test, testCase: Test.Case?, options: Simulation.Options) {
    self.test = test
    self.testCase = testCase
    self.options = options
    held = HeldIssues(of: test)
  }

  func search(_ search: SearchRequest, writtenAt place: SourceLocation, _ body: Body) async throws {
    if let flaw = search.flaw {
      Issue.record("\(flaw)", sourceLocation: place)
      return
    }
    let (findings, shortfall, replayed) = try await onOwnThread(body) { explorer in
      let report = search.explore(with: &explorer)
      let findings = report.violations.map { violation in
        // What was expected, with the values of the schedule that is shown.
        if held.mayHold(violation.invariant) { _ = explorer.replay(violation.token) }
        return Finding(violation, tried: report.triedText, held.evidence(of: violation.invariant))
      }
      return (findings, report.holds ? report.shortfall : nil, search.parted(with: explorer))
    }
    try await record(findings)
    for (text, divergence) in replayed {
      if let tally = ArgumentTally.current {
        tally.add(divergence.map { .parted($0) } ?? .belongs, to: text)
      } else if let divergence {
        Issue.record("\(divergence.sentence(about: text))", severity: .warning, sourceLocation: place)
      }
    }
    guard let shortfall else { return }
    Issue.record(
      "holds in \(search.schedules) schedules, but \(shortfall); raise `schedules`", severity: .warning,
      sourceLocation: place)
  }

  func replay(_ text: String, writtenAt place: SourceLocation, _ body: Body) async throws {
    let token: Schedule.Token
    do {
      token = try Schedule.Token(parsing: text)
    } catch {
      Issue.record(
        "“\(text)” is no schedule: \(error); paste the token of a failed search", sourceLocation: place)
      return
    }
    let (findings, result) = try await onOwnThread(body) { explorer in
      let result = explorer.replay(token)
      let findings = result.execution.violations.map { violation in
        Finding(violation, tried: nil, held.evidence(of: violation.invariant))
      }
      return (findings, result)
    }
    if let tally = ArgumentTally.current {
      tally.add(ArgumentTally.Outcome(result), to: text)
      if result.divergence != nil { return }
    } else if let sentence = result.nothingViolated {
      Issue.record("\(sentence)", severity: .warning, sourceLocation: place)
    } else if let divergence = result.divergence {
      Issue.record(
        "this schedule does not lead where it was recorded to lead; `.simulated` searches anew\n\(divergence)",
        sourceLocation: place)
    }
    try await record(findings)
  }

  /// What `run` makes of an explorer of `body`. Runs as the calling task, which is how expectations find
  /// their test, but on a thread of its own.
  private func onOwnThread<Found: Sendable>(
    _ body: Body, _ run: @Sendable (inout Explorer) -> Found
  ) async throws -> Found {
    let found = Guarded<Found?>(nil)
    try await held.trait.provideScope(for: test, testCase: testCase) {
      let answer = await SearchQueue.shared.run {
        withEscapable(body) { body in
          var explorer = Explorer(name: test.displayName ?? test.name, options: options) { simulation in
            try await held.hold(in: simulation, body)
          }
          return run(&explorer)
        }
      }
      found.withLock { $0 = answer }
    }
    guard let answer = found.withLock(\.self) else { preconditionFailure("a scope runs what it is given") }
    return answer
  }

  private func record(_ findings: [Finding]) async throws {
    for issue in held.notes { try await issue.recordAgain(in: test, testCase) }
    let cancellation = Task.isCancelled ? held.cancellation : nil
    // What a cancelled test has thrown is thrown on: to cancel itself is one way to end.
    for finding in findings where cancellation == nil || !finding.isThrown {
      try await finding.record(in: test, testCase)
    }
    if let cancellation { throw cancellation }
  }
}
