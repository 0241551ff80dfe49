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
      issue, violating: issue.invariantName, issue.message, mark: issue.mark(in: test), in: simulation)
    return nil
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

  /// What it is called in a trace: a token is to survive a change elsewhere in the file.
  fileprivate func mark(in test: Test) -> String {
    guard let line = sourceLocation?.line, sourceLocation?.fileID == test.sourceLocation.fileID else {
      return kindName
    }
    return "\(kindName) +\(line - test.sourceLocation.line)"
  }

  private var kindName: String {
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
