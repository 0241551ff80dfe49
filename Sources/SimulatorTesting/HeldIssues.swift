internal import Foundation
internal import Simulator
internal import SimulatorTestSupport
internal import Testing

/// The issues that a simulated body records. Those that are failures are held as failures; the others are
/// notes.
final class HeldIssues: Sendable {
  /// Issues that are no failures, each once.
  private struct Notes {
    var issues: [String: Issue] = [:]
    var order: [String] = []
    /// What has been noted by other processes too.
    var known: Set<String> = []
    var hasNews = false
  }

  private let test: Test
  /// Whether every issue is marked by its line, as it was when older tokens were recorded.
  private let marksByLine = Guarded(false)
  /// The functions in which lines stand that have recorded an issue, where one is known.
  private let functions = Guarded<[SourceLocation: String?]>([:])
  private let failures = HeldFailures<Issue>()
  private let notesSoFar = Guarded(Notes())

  init(of test: Test) {
    self.test = test
  }

  /// Runs `body` as the root of one schedule.
  func hold(
    in simulation: Simulation, _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) async throws {
    // What a failed requirement is about has been recorded.
    try await failures.run(body, in: simulation) { error, _ in error is ExpectationFailedError }
  }

  /// The trait in whose scope the search runs.
  var trait: IssueHandlingTrait { .compactMapIssues { self.hold($0) } }

  private func hold(_ issue: Issue) -> Issue? {
    guard Simulation.current != nil else { return issue }
    // A detached task has no test: its issue is shown to the traits of all tests.
    guard let simulation = failures.simulation else { return nil }
    guard issue.isFailure else {
      note(issue)
      return nil
    }
    failures.hold(
      issue, violating: issue.invariantName, issue.message, mark: mark(of: issue), in: simulation)
    return nil
  }

  /// What an issue is called in a trace: a token is to survive a change elsewhere in the file, and to be replayed by another
  /// test that calls the same function.
  private func mark(of issue: Issue) -> String {
    guard let place = issue.sourceLocation, place.fileID == test.sourceLocation.fileID
    else { return issue.kindName }
    if !marksByLine.withLock(\.self), let function = function(at: place), !isOwn(function) {
      return "\(issue.kindName) in \(function)" + (issue.expression.map { ": \($0)" } ?? "")
    }
    return "\(issue.kindName) +\(place.line - test.sourceLocation.line)"
  }

  /// The function that records an issue at `place` now. To find it takes longer than most of what records one.
  private func function(at place: SourceLocation) -> String? {
    functions.withLock { functions in
      if let known = functions[place] { return known }
      let function = Simulation.caller?.function
      functions[place] = function
      return function
    }
  }

  /// Whether it is the test's function, or a closure in it.
  private func isOwn(_ function: String) -> Bool {
    let (function, name) = (function.filter { $0 != "`" }, test.name.filter { $0 != "`" })
    return function == name || function.hasSuffix(".\(name)") || function.hasSuffix(" \(name)")
  }

  /// What `replay` answers, or where another trace was recorded, what it answers with the marks of older tokens if that is
  /// the recorded one.
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

  /// Whether something was noted by another process only.
  var lacksNotes: Bool { notesSoFar.withLock { notes in notes.known.contains { notes.issues[$0] == nil } } }

  /// Whether anything has been noted since this was asked last.
  func takeNews() -> Bool {
    notesSoFar.withLock { notes in
      defer { notes.hasNews = false }
      return notes.hasNews
    }
  }

  /// What a process that runs one execution of the search hands over: what has been noted.
  var baggage: Baggage {
    Baggage(
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

  /// Whether what violates `invariant` is something that the body recorded or threw.
  func mayHold(_ invariant: String) -> Bool { failures.mayHold(invariant) }

  /// What proves, in the last schedule that ran, that `invariant` is violated; nil where no issue does.
  func evidence(of invariant: String) -> Evidence? {
    if let issue = failures.failure(of: invariant) {
      return Evidence(issue: RelayedIssue(issue), isThrown: false)
    }
    guard invariant == Invariant.BuiltIn.throws, let error = failures.error else { return nil }
    return Evidence(issue: RelayedIssue(thrown: error, at: test.sourceLocation), isThrown: true)
  }

  /// What a test that has been cancelled ends with: the error that its body threw then.
  var cancellation: any Error { failures.error ?? CancellationError() }
}

extension Issue {
  /// What a failing line violates.
  fileprivate var invariantName: String {
    guard let place = sourceLocation else { return kindName }
    return "\(kindName) at \(place.fileName):\(place.line)"
  }

  /// The code of the expectation that is not met, as it is written; nil where the testing library does not show it.
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
