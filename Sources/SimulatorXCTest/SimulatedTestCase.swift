public import Simulator
internal import SimulatorReports
public import SimulatorStrategyInterface
@_exported public import SimulatorTestSupport
public import XCTest

/// A test case whose methods can run code under every schedule of a search.
///
/// ```swift
/// final class AccountTests: SimulatedTestCase {
///   func testNeverOverdrawn() throws {
///     try simulated(schedules: 1_000) {
///       let account = Account()
///       async let rent: Void = account.withdraw(70)
///       async let food: Void = account.withdraw(70)
///       _ = await (rent, food)
///       let balance = await account.balance
///       XCTAssertGreaterThanOrEqual(balance, 0)
///     }
///   }
/// }
/// ```
///
/// It is a separate class because an assertion finds its test case through a global, and only a test case can hold back
/// what is reported to it.
open class SimulatedTestCase: XCTestCase {
  let held = HeldFailures<Failure>()

  /// Runs `body` in virtual time, on the calling thread, under every schedule of a search.
  ///
  /// The search ends at the first schedule in which an assertion fails, the body throws, or a built-in check is
  /// violated. That schedule is made smaller, explained, and recorded once, at the line of the assertion, with the call
  /// that replays it. The body runs in the simulation `Simulation.current`. With the environment variable
  /// `SIMULATOR_COVERAGE=1` a search that violates nothing prints what it covered.
  ///
  /// - Parameters:
  ///   - schedules: The greatest number of schedules to try.
  ///   - seed: The seed of random choices.
  ///   - strategy: The strategy that picks the schedules after the natural one. A test that names another strategy
  ///     imports `Simulator` too.
  ///   - exhaustiveDeviationBound: If set, every schedule with at most this many deviations from the natural order is tried
  ///     first.
  ///   - replays: The tokens of schedules that failed once. They are tried before the search, on top of its budget, and
  ///     stay as regression tests. A line says where a schedule departs from its recording.
  ///   - timeBudget: If set, the real time that the search may take. It stops then, and a line says what was covered.
  ///     Violations that were found are made smaller only as far as the time allows.
  ///   - timeLimit: If set, the virtual time at which a schedule ends, instead of the ten minutes of `options`. A body
  ///     that has not returned by then fails.
  ///   - inSeparateProcess: True if a schedule that ends its process is a failure of this test only, and the other tests go on.
  ///     To make this possible, the search runs in a copy of the process, made by `fork`: if the body changes something
  ///     beyond its own schedule, such as a global, it changes it in the copy. In a debugger, under a sanitizer, when
  ///     covered lines are counted, and with the environment variable `SIMULATOR_CONTAINED=0`, nothing is contained. A
  ///     violation also runs in a fresh process, in which nothing has run but the test runner and this method up to
  ///     here. If it does not appear there, what the search finds in that process counts.
  ///   - options: The limits of one schedule, and the setting that makes work that outlives it a violation.
  ///   - file: The file of the call, where failures without a line of their own are shown.
  ///   - line: The line of the call.
  ///   - body: The code to run once for each schedule; it must make everything it uses.
  /// - Throws: `XCTSkip`, if the body throws it, and if nothing can be simulated; in the latter case an error with the
  ///   reason if the environment variable `SIMULATOR_REQUIRED` is 1. Nothing else.
  public func simulated(
    schedules: Int = 1_000, seed: UInt64 = 0, strategy: any SchedulingStrategy = .portfolio,
    exhaustiveDeviationBound: Int? = nil, replays: [String] = [], timeBudget: Duration? = nil,
    timeLimit: Duration? = nil, inSeparateProcess: Bool = true,
    options: Simulation.Options = Simulation.Options(),
    file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) throws {
    try requireSupport(file, line)
    let search = SearchRequest(
      schedules: schedules, seed: seed, strategy: strategy,
      exhaustiveDeviationBound: exhaustiveDeviationBound,
      replays: replays, time: timeBudget)
    if let flaw = search.flaw {
      XCTFail(flaw, file: file, line: line)
      return
    }
    guard let subject = nextSubject() else { return }
    var explorer = explorer(options.limited(to: timeLimit), body)
    search.configure(&explorer)
    let contained = ContainedSearch(explorer, isContained: inSeparateProcess)
    if case .confirm(let suspects)? = FreshRequest.here?.aim {
      FreshProcess.leave(
        answering: contained.confirm(
          suspects, { Evidence(of: $0, in: held) }, or: { find(search, with: $0) }))
    }
    let done = contained.search { find(search, with: $0) }
    let found = done.isHere ? done.answer : contained.confirmed(done.answer, of: subject)
    found.findings.tellCoverage()
    let report = found.findings.report
    tellPage(file, line) { Page.Subject(report, named: $0, at: $1, replay: Self.replayCall) }
    try record(found, of: search, warning: done.warning, file, line)
  }

  private func record(
    _ found: CaseFindings, of search: SearchRequest, warning: String?, _ file: StaticString, _ line: UInt
  ) throws {
    let report = found.findings.report
    let tried = [report.triedText, found.findings.keptState].compactMap(\.self).joined(separator: "\n")
    for violation in report.violations {
      try record(violation, tried: tried, found.evidence[violation.invariant], file, line)
    }
    for text in found.findings.failureTexts {
      recordNow(Failure(message: text, file: "\(file)", line: Int(line)))
    }
    if let warning = found.findings.partedText ?? warning ?? found.findings.warning(on: search) {
      print("\(file):\(line): warning: \(warning)")
    }
  }

  /// Runs `body` once, under the schedule of `token`, which a failed search has printed.
  ///
  /// A token that does not lead where it was recorded to lead is a failure, whatever the body does. If every choice of
  /// a token is met and nothing is violated anymore, the method passes, and a line says so.
  ///
  /// - Parameters:
  ///   - token: The schedule: `debug/0:1/2#2e18b49f`.
  ///   - timeLimit: As in the search.
  ///   - inSeparateProcess: True if a schedule that ends its process is a failure of this test only.
  ///   - options: The limits of one schedule, the same as those of the search.
  ///   - file: The file of the call, where failures without a line of their own are shown.
  ///   - line: The line of the call.
  ///   - body: The body that was searched.
  /// - Throws: `XCTSkip`, if the body throws it, and if nothing can be simulated; in the latter case an error with the
  ///   reason if the environment variable `SIMULATOR_REQUIRED` is 1. Nothing else.
  public func simulated(
    replaying token: String, timeLimit: Duration? = nil, inSeparateProcess: Bool = true,
    options: Simulation.Options = Simulation.Options(), file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) throws {
    try requireSupport(file, line)
    let parsed: Schedule.Token
    do {
      parsed = try Schedule.Token(parsing: token)
    } catch {
      XCTFail(
        "“\(token)” is no schedule: \(error); paste the token of a failed search", file: file, line: line)
      return
    }
    guard let subject = nextSubject() else { return }
    let contained = ContainedSearch(
      explorer(options.limited(to: timeLimit), body), isContained: inSeparateProcess)
    let lost = { ReplayFindings(lost: parsed, $0) }
    if case .replay? = FreshRequest.here?.aim {
      FreshProcess.leave(answering: contained.run(lost: lost) { replay(parsed, with: &$0) }.answer)
    }
    let fresh: ReplayFindings? = contained.ask(.replay, of: subject)
    let found = fresh ?? contained.run(lost: lost) { replay(parsed, with: &$0) }.answer
    let result = found.result
    tellPage(file, line) { Page.Subject(result, named: $0, at: $1, replay: Self.replayCall) }
    if let sentence = result.nothingViolatedText { print("\(file):\(line): warning: \(sentence)") }
    if let divergence = result.divergence {
      XCTFail(
        "this schedule does not lead where it was recorded to lead; `simulated(schedules:)` searches anew\n"
          + divergence.description, file: file, line: line)
    }
    for violation in result.execution.violations {
      try record(violation, tried: nil, found.evidence[violation.invariant], file, line)
    }
  }

  /// Throws if nothing can be simulated: then nothing that could be reported would be true.
  private func requireSupport(_ file: StaticString, _ line: UInt) throws {
    guard let unsupported = Unsupported.here else { return }
    if unsupported.isFailure { throw unsupported }
    throw XCTSkip("\(unsupported)", file: file, line: line)
  }

  private func explorer(
    _ options: Simulation.Options, _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) -> Explorer {
    var options = options
    options.notesAdvice = true
    var explorer = Explorer(name: name, options: options) { [held] simulation in
      try await held.run(body, in: simulation) { error, hasFailed in
        // `XCTUnwrap` throws what it has already reported.
        hasFailed && "\(type(of: error))" == "XCTestErrorWhileUnwrappingOptional"
      }
    }
    explorer.jobs = ProcessInfo.processInfo.activeProcessorCount
    return explorer
  }

  private func record(
    _ violation: Invariant.Violation, tried: String?, _ evidence: Evidence?, _ file: StaticString,
    _ line: UInt
  ) throws {
    if let skip = evidence?.skip { throw XCTSkip(skip.message, file: file, line: line) }
    let told = Explorer.Explanation(violation) { "replay: \(Self.replayCall($0))" }
    let failure = evidence?.failure
    let advice =
      tried == nil
      ? "what to do: cure it and run the test again. `simulated(replays: […])` with this token keeps the schedule beside a search."
      : "what to do: write the call below in the place of `simulated`. Then only this schedule runs, as often as you like, in a "
        + "debugger too."
    let text = told.testText(isNamed: failure == nil, tried: tried, advice: advice)
    recordNow(
      Failure(
        message: "\(failure?.message ?? told.testHeadline)\n\n\(text)", file: failure?.file ?? "\(file)",
        line: failure?.line ?? Int(line)))
  }

  private static func replayCall(_ token: Schedule.Token) -> String { "simulated(replaying: \"\(token)\")" }

  /// Adds the result of this method, which has a name and a place, to the page of all tests, if there is to be one.
  private func tellPage(
    _ file: StaticString, _ line: UInt, _ subject: (_ name: String, _ place: String) -> Page.Subject
  ) {
    let place = "\("\(file)".split(separator: "/").last ?? ""):\(line)"
    if let flaw = TestPage.add({ subject(name, place) }) { print("\(file):\(line): warning: \(flaw)") }
  }

  /// Returns true if `failure` belongs to the running schedule; holds it back then.
  private func isHeld(_ failure: Failure) -> Bool {
    guard let simulation = held.simulation else { return false }
    held.hold(
      failure, violating: failure.invariantName, failure.message, mark: "assertion", in: simulation)
    return true
  }

  #if canImport(ObjectiveC)
    /// Holds back what a simulated body asserts.
    open override func record(_ issue: XCTIssue) {
      let place = issue.sourceCodeContext.location
      let failure = Failure(
        message: issue.compactDescription, file: place?.fileURL.path ?? "", line: place?.lineNumber ?? 0)
      if !isHeld(failure) { super.record(issue) }
    }

    private func recordNow(_ failure: Failure) {
      let location = XCTSourceCodeLocation(filePath: failure.file, lineNumber: failure.line)
      super.record(
        XCTIssue(
          type: .assertionFailure, compactDescription: failure.message,
          sourceCodeContext: XCTSourceCodeContext(location: location)))
    }
  #else
    /// Holds back what a simulated body asserts.
    open override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      guard !isHeld(Failure(message: description, file: filePath, line: lineNumber)) else { return }
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }

    private func recordNow(_ failure: Failure) {
      super.recordFailure(
        withDescription: failure.message, inFile: failure.file, atLine: failure.line, expected: true)
    }
  #endif
}
