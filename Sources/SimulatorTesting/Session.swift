internal import Simulator
internal import SimulatorTestSupport
internal import Testing

/// One test, or one argument of it, under simulation.
struct Session: Sendable {
  typealias Body = @Sendable @concurrent () async throws -> Void

  let test: Test
  let testCase: Test.Case?
  let options: Simulation.Options
  /// Whether schedules run in a copy of the process.
  let isContained: Bool
  private let held: HeldIssues

  init(test: Test, testCase: Test.Case?, options: Simulation.Options, isContained: Bool) {
    self.test = test
    self.testCase = testCase
    self.options = options
    self.isContained = isContained
    held = HeldIssues(of: test)
  }

  func search(_ search: SearchRequest, writtenAt place: SourceLocation, _ body: Body) async throws {
    if let flaw = search.flaw {
      Issue.record(headline: flaw, at: place)
      return
    }
    let (findings, shown, warning) = try await onOwnThread(body) { explorer in
      var explorer = explorer
      search.configure(&explorer, atMost: TimeBudget.left)
      let contained = ContainedSearch(explorer, isContained: isContained)
      let done = contained.run(unless: \.isCancelled) { find(search, with: &$0) }
      let report = done.answer.report
      let shown = report.violations.map { violation in
        // What was expected, with the values of the schedule that is shown.
        var told = violation
        if !done.isHere || held.mayHold(violation.invariant) {
          told = contained.shown(violation, of: done.answer)
        }
        return Finding(told, tried: report.triedText, held.evidence(of: told.invariant))
      }
      if !done.isHere { noteAgain(done.answer.notes, with: contained) }
      return (done.answer, shown, done.warning)
    }
    findings.tellCoverage()
    tellPage(writtenAt: place) { Page.Subject(findings.report, named: $0, at: $1, replay: Self.replayLine) }
    if let warning { Issue.record("\(warning)", severity: .warning, sourceLocation: place) }
    try await record(shown)
    if !findings.isCancelled {
      for text in findings.report.neverHappenedTexts {
        Issue.record(headline: text, at: test.sourceLocation)
      }
    }
    tell(findings, of: search, writtenAt: place)
  }

  /// Adds what came of this test, which has a name and a place, to the page of all tests, if there is to be one.
  private func tellPage(
    writtenAt place: SourceLocation, _ subject: (_ name: String, _ place: String) -> Page.Subject
  ) {
    let own = test.sourceLocation
    let flaw = TestPage.add {
      subject(test.displayName ?? test.name, "\(own.fileName):\(own.line)")
    }
    if let flaw { Issue.record("\(flaw)", severity: .warning, sourceLocation: place) }
  }

  private static func replayLine(_ token: Schedule.Token) -> String { ".simulated(replaying: \"\(token)\")" }

  /// In the process that searches.
  private func find(_ search: SearchRequest, with explorer: inout Explorer) -> SearchFindings {
    let noted = Guarded<[Schedule]>([])
    explorer.baggage = held.baggage
    explorer.tried = { [held] choices in
      if held.takeNews() { noted.withLock { $0.append(Schedule(choices: choices)) } }
    }
    var findings = search.find(with: explorer)
    findings.notes = noted.withLock(\.self)
    findings.isCancelled = Task.isCancelled
    return findings
  }

  /// Runs the schedules in which something was noted elsewhere, so that it is noted here. What is noted in all of them
  /// was noted first by one that does not count, which ran in the natural order.
  private func noteAgain(_ schedules: [Schedule], with search: ContainedSearch) {
    guard !schedules.isEmpty else { return }
    for schedule in [.natural] + schedules {
      search.replayedHere(Schedule.Token(schedule: schedule, digest: 0))
    }
  }

  private func tell(_ findings: SearchFindings, of search: SearchRequest, writtenAt place: SourceLocation) {
    for replayed in findings.parted {
      if let tally = ArgumentTally.current {
        tally.add(replayed.divergence.map { .parted($0) } ?? .belongs, to: replayed.text)
      } else if let divergence = replayed.divergence {
        Issue.record(
          "\(divergence.sentence(about: replayed.text))", severity: .warning, sourceLocation: place)
      }
    }
    if let remark = findings.remark(on: search) {
      Issue.record("\(remark)", severity: .warning, sourceLocation: place)
    }
  }

  func replay(_ text: String, writtenAt place: SourceLocation, _ body: Body) async throws {
    let token: Schedule.Token
    do {
      token = try Schedule.Token(parsing: text)
    } catch {
      Issue.record(
        headline: "“\(text)” is no schedule: \(error); paste the token of a failed search", at: place)
      return
    }
    let (findings, result, compared) = try await onOwnThread(body) { explorer in
      let contained = ContainedSearch(explorer, isContained: isContained)
      let done = contained.run { explorer in
        held.replayed { explorer.replay(token, comparing: TestPage.isWanted) }
      }
      let isShownHere = !done.isHere && !done.answer.execution.isDeadly
      let result = isShownHere ? held.replayed { contained.replayedHere(token) } : done.answer
      let findings = result.execution.violations.map { violation in
        Finding(violation, tried: nil, held.evidence(of: violation.invariant))
      }
      return (findings, result, done.answer)
    }
    if let tally = ArgumentTally.current {
      tally.add(ArgumentTally.Outcome(result), to: text)
      // It belongs to another argument.
      if result.divergence != nil { return }
    } else if let sentence = result.nothingViolated {
      Issue.record("\(sentence)", severity: .warning, sourceLocation: place)
    } else if let divergence = result.divergence {
      Issue.record(
        headline: "this schedule does not lead where it was recorded to lead; `.simulated` searches anew",
        "\(divergence)", at: place)
    }
    tellPage(writtenAt: place) { Page.Subject(compared, named: $0, at: $1, replay: Self.replayLine) }
    try await record(findings)
  }

  /// What `run` makes of an explorer of `body`. Runs as the calling task, which is how expectations find
  /// their test, but on a thread of its own.
  private func onOwnThread<Found: Sendable>(
    _ body: Body, _ run: @Sendable (Explorer) -> Found
  ) async throws -> Found {
    let found = Guarded<Found?>(nil)
    try await held.trait.provideScope(for: test, testCase: testCase) {
      let answer = await SearchQueue.shared.run { processors in
        withEscapable(body) { body in
          var explorer = Explorer(name: test.displayName ?? test.name, options: options) { simulation in
            try await held.hold(in: simulation, body)
          }
          explorer.jobs = processors
          return run(explorer)
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
