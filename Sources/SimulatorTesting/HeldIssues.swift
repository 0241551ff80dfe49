internal import Foundation
internal import Simulator
internal import SimulatorTestSupport
internal import Testing

/// The issues that a simulated body records. Failures are held as failures; the others are notes.
final class HeldIssues: Sendable {
  /// The issues that are not failures, each once.
  private struct Notes {
    var issues: [String: Issue] = [:]
    var order: [String] = []
    /// The text of everything noted, by this process or another.
    var known: Set<String> = []
    var hasNews = false
  }

  private let test: Test
  /// True if every issue is marked by its line, as it was when older tokens were recorded.
  private let marksByLine = Guarded(false)
  private let failures = HeldFailures<Issue>()
  private let notesSoFar = Guarded(Notes())

  init(of test: Test) {
    self.test = test
  }

  /// Runs `body` as the root of one schedule.
  func hold(
    in simulation: Simulation, _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) async throws {
    // The issue behind a failed requirement has already been recorded.
    try await failures.run(body, in: simulation) { error, _ in error is ExpectationFailedError }
  }

  /// The trait in whose scope the search runs.
  var trait: IssueHandlingTrait { .compactMapIssues { self.hold($0) } }

  private func hold(_ issue: Issue) -> Issue? {
    guard Simulation.current != nil else { return issue }
    // A detached task has no test, so its issue is shown to the traits of all tests.
    guard let simulation = failures.simulation else { return nil }
    guard issue.isFailure else {
      note(issue)
      return nil
    }
    failures.hold(
      issue, violating: issue.invariantName, issue.message, mark: mark(of: issue), in: simulation)
    return nil
  }

  /// Returns the name of an issue in a trace. A token must survive a change elsewhere in the file, and another test
  /// that calls the same function must be able to replay it.
  private func mark(of issue: Issue) -> String {
    guard let place = issue.sourceLocation, place.fileID == test.sourceLocation.fileID
    else { return issue.kindName }
    if !marksByLine.withLock(\.self), let function = Simulation.caller?.function, !isOwn(function) {
      return "\(issue.kindName) in \(function)" + (issue.expression.map { ": \($0)" } ?? "")
    }
    return "\(issue.kindName) +\(place.line - test.sourceLocation.line)"
  }

  /// Returns true if it is the test's function, or a closure in it.
  private func isOwn(_ function: String) -> Bool {
    let (function, name) = (function.filter { $0 != "`" }, test.name.filter { $0 != "`" })
    return function == name || function.hasSuffix(".\(name)") || function.hasSuffix(" \(name)")
  }

  /// Returns the result of `replay`. If its trace is not the recorded one, but the trace with the marks of older tokens
  /// is, returns the result with those marks.
  func replayed(_ replay: () -> Explorer.ReplayResult) -> Explorer.ReplayResult {
    let result = replay()
    guard case .trace = result.divergence?.difference else { return result }
    marksByLine.withLock { $0 = true }
    let older = replay()
    if older.divergence == nil { return older }
    marksByLine.withLock { $0 = false }
    return result
  }

  private func note(_ issue: Issue) {
    let text = issue.debugDescription
    notesSoFar.withLock { notes in
      if notes.known.insert(text).inserted { notes.hasNews = true }
      guard notes.issues[text] == nil else { return }
      notes.issues[text] = issue
      notes.order.append(text)
    }
  }

  /// Known issues and warnings, each once, in the order in which they came.
  var notes: [RelayedIssue] {
    notesSoFar.withLock { notes in notes.order.compactMap { notes.issues[$0].map { RelayedIssue($0) } } }
  }

  /// True if something was noted only by another process.
  var lacksNotes: Bool { notesSoFar.withLock { notes in notes.known.contains { notes.issues[$0] == nil } } }

  /// Returns true if anything has been noted since the last call.
  func takeNews() -> Bool {
    notesSoFar.withLock { notes in
      defer { notes.hasNews = false }
      return notes.hasNews
    }
  }

  /// The data that a process that runs one execution of the search hands over: its notes.
  var childPayload: ChildPayload {
    ChildPayload(
      pack: { (try? JSONEncoder().encode(self.notesSoFar.withLock(\.known))) ?? Data() },
      unpack: { data in
        let noted = (try? JSONDecoder().decode(Set<String>.self, from: data)) ?? []
        self.notesSoFar.withLock { notes in
          if !noted.isSubset(of: notes.known) { notes.hasNews = true }
          notes.known.formUnion(noted)
        }
      },
      amount: { self.notesSoFar.withLock(\.known.count) })
  }

  /// Returns true if a violation of `invariant` may be something that the body recorded or threw.
  func mayHold(_ invariant: String) -> Bool { failures.mayHold(invariant) }

  /// Returns the proof that the last schedule violated `invariant`; nil if no issue proves it.
  func evidence(of invariant: String) -> Evidence? {
    if let issue = failures.failure(of: invariant) {
      return Evidence(issue: RelayedIssue(issue), isThrown: false)
    }
    guard invariant == Invariant.BuiltIn.throws, let error = failures.error else { return nil }
    return Evidence(issue: RelayedIssue(thrown: error, at: test.sourceLocation), isThrown: true)
  }

  /// The error with which a canceled test ends: the one that its body threw.
  var cancellation: any Error { failures.error ?? CancellationError() }
}

extension Issue {
  /// The name of the invariant that a failing line violates.
  fileprivate var invariantName: String {
    guard let place = sourceLocation else { return kindName }
    return "\(kindName) at \(place.fileName):\(place.line)"
  }

  /// The source code of the failed expectation; nil if the testing library does not show it.
  fileprivate var expression: String? {
    guard case .expectationFailed(let expectation) = kind else { return nil }
    return Mirror(reflecting: expectation).children.first { $0.label == "evaluatedExpression" }
      .map { "\($0.value)" }
  }

  fileprivate var kindName: String {
    switch kind {
    case .expectationFailed(let expectation): expectation.isRequired ? "requirement" : "expectation"
    case .confirmationMiscounted: "confirmation"
    case .errorCaught: "error"
    case .knownIssueNotRecorded: "known issue"
    default: "issue"
    }
  }

  fileprivate var message: String {
    let text = comments.map(\.rawValue).joined(separator: "; ")
    if case .unconditional = kind, !text.isEmpty { return text }
    return text.isEmpty ? "\(kind)" : "\(kind): \(text)"
  }
}
