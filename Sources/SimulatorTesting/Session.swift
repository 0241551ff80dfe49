internal import Simulator
internal import SimulatorReports
internal import SimulatorTestSupport
internal import Testing

/// One test, or one argument of it, under simulation.
struct Session: Sendable {
  typealias Body = @Sendable @concurrent () async throws -> Void

  let test: Test
  let testCase: Test.Case?
  let options: Simulation.Options
  /// True if schedules run in a copy of the process.
  let isContained: Bool
  private let held: HeldIssues
  var subject: FreshSubject { FreshSubject(test, testCase) }

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
    let (found, warning) = try await onOwnThread(body) { explorer in
      var explorer = explorer
      search.configure(&explorer, atMost: TimeBudget.left)
      let contained = ContainedSearch(explorer, isContained: isContained)
      if case .confirm(let suspects)? = FreshRequest.here?.aim {
        FreshProcess.leave(
          answering: contained.confirm(suspects, held.evidence) { find(search, with: &$0) })
      }
      let done = contained.search { find(search, with: &$0) }
      return (done.isHere ? done.answer : contained.confirmed(done.answer, of: subject), done.warning)
    }
    let findings = found.findings
    findings.tellCoverage()
    tellPage(writtenAt: place) { Page.Subject(findings.report, named: $0, at: $1, replay: Self.replayLine) }
    try await record(found.shown, found.notes)
    if !findings.isCancelled {
      for text in findings.failureTexts {
        Issue.record(headline: text, at: test.sourceLocation)
      }
    }
    tell(findings, of: search, uncontained: warning, writtenAt: place)
  }

  /// Adds the result of this test, which has a name and a place, to the page of all tests, if there is to be one.
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

  /// Searches. Runs in the process that searches.
  private func find(_ search: SearchRequest, with explorer: inout Explorer) -> TestFindings {
    let noted = Guarded<[Schedule]>([])
    explorer.childPayload = held.childPayload
    explorer.tried = { [held] choices in
      if held.takeNews() { noted.withLock { $0.append(Schedule(choices: choices)) } }
    }
    var findings = search.find(with: explorer)
    findings.isCancelled = Task.isCancelled
    if held.lacksNotes { noteAgain(noted.withLock(\.self), with: explorer) }
    return TestFindings(
      findings: findings, evidence: explorer.evidence(for: findings) { held.evidence(of: $0) },
      notes: held.notes)
  }

  /// Replays the schedules in which other processes noted something, so that it is noted here. A note that appears in
  /// all schedules was first made by one that does not count, which ran in the natural order.
  private func noteAgain(_ schedules: [Schedule], with explorer: Explorer) {
    for schedule in [.natural] + schedules {
      explorer.replayHere(Schedule.Token(schedule: schedule, digest: 0))
    }
  }

  /// Records at most one warning, the most important.
  private func tell(
    _ findings: SearchFindings, of search: SearchRequest, uncontained: String?,
    writtenAt place: SourceLocation
  ) {
    var findings = findings
    ArgumentRoutes.current?.take(from: &findings.report)
    if let tally = ArgumentTally.current {
      for replayed in findings.parted {
        tally.add(replayed.divergence.map { .parted($0) } ?? .belongs, to: replayed.text)
      }
    }
    let parted = ArgumentTally.current == nil ? findings.partedText : nil
    if let warning = parted ?? uncontained ?? findings.warning(on: search) {
      Issue.record("\(warning)", severity: .warning, sourceLocation: place)
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
    let found = try await onOwnThread(body) { explorer in
      let contained = ContainedSearch(explorer, isContained: isContained)
      let lost = { ReplayFindings(lost: token, $0) }
      if case .replay? = FreshRequest.here?.aim {
        FreshProcess.leave(answering: contained.run(lost: lost) { replay(token, with: &$0) }.answer)
      }
      let fresh: ReplayFindings? = contained.ask(.replay, of: subject)
      if let fresh, !fresh.isCancelled { return fresh }
      return contained.run(unless: \.isCancelled, lost: lost) { replay(token, with: &$0) }.answer
    }
    let result = found.result
    if let tally = ArgumentTally.current {
      tally.add(ArgumentTally.Outcome(result), to: text)
      // The token belongs to another argument.
      if result.divergence != nil { return }
    } else if let sentence = result.nothingViolatedText {
      Issue.record("\(sentence)", severity: .warning, sourceLocation: place)
    } else if let divergence = result.divergence {
      Issue.record(
        headline: "this schedule does not lead where it was recorded to lead; `.simulated` searches anew",
        "\(divergence)", at: place)
    }
    tellPage(writtenAt: place) { Page.Subject(result, named: $0, at: $1, replay: Self.replayLine) }
    try await record(found.shown, found.notes)
  }

  /// Replays. Runs in the process that replays.
  private func replay(_ token: Schedule.Token, with explorer: inout Explorer) -> ReplayFindings {
    explorer.childPayload = held.childPayload
    if FreshProcess.isHere { explorer.freshOrigin = .program }
    let result = held.replayed { explorer.replay(token, comparing: TestPage.isWanted) }
    var evidence: [String: Evidence] = [:]
    if !result.execution.isDeadly, !result.execution.violations.isEmpty || held.lacksNotes {
      _ = held.replayed { explorer.replayHere(token) }
      for violation in result.execution.violations {
        evidence[violation.invariant] = held.evidence(of: violation.invariant)
      }
    }
    return ReplayFindings(
      result: result, evidence: evidence, notes: held.notes, isCancelled: Task.isCancelled)
  }

  /// Returns what `run` makes of an explorer of `body`. Runs as the calling task, so that expectations find their test,
  /// but on its own thread.
  private func onOwnThread<Found: Sendable>(
    _ body: Body, _ run: @Sendable (Explorer) -> Found
  ) async throws -> Found {
    let found = Guarded<Found?>(nil)
    try await held.trait.provideScope(for: test, testCase: testCase) {
      let answer = await SearchQueue.shared.run { processors in
        withEscapable(body) { body in
          var options = options
          options.notesAdvice = true
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

  private func record(_ findings: [Finding], _ notes: [RelayedIssue]) async throws {
    for note in notes { try await note.record(in: test, testCase) }
    let cancellation = Task.isCancelled ? held.cancellation : nil
    // The error of a canceled test is rethrown, not recorded: a test may end by canceling itself.
    for finding in findings where cancellation == nil || !finding.isThrown {
      try await finding.record(in: test, testCase)
    }
    if let cancellation { throw cancellation }
  }
}
