internal import Simulator
internal import Testing

/// The issues that a simulated body records: each is a violation of the schedule in which it is recorded, and is held
/// back until the search is over.
final class HeldIssues: Sendable {
  private struct State {
    /// The schedule that runs, and its issues by the name of what they violate.
    var simulation: ObjectIdentifier?
    var issues: [String: Issue] = [:]
    var names: Set<String> = []
    var error: (any Error)?
    /// What is no failure, each once.
    var notes: [String: Issue] = [:]
    var order: [String] = []
  }

  private let test: Test
  private let state = Guarded(State())

  init(of test: Test) {
    self.test = test
  }

  /// Runs `body` as one schedule's root.
  func hold(
    in simulation: Simulation, _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) async throws {
    state.withLock { state in
      state.simulation = ObjectIdentifier(simulation)
      state.issues = [:]
      state.error = nil
    }
    do {
      try await body()
    } catch is ExpectationFailedError {
      // What it is about has been recorded.
    } catch {
      state.withLock { $0.error = error }
      throw error
    }
  }

  /// What the search is to run in the scope of.
  var trait: IssueHandlingTrait { .compactMapIssues { self.hold($0) } }

  private func hold(_ issue: Issue) -> Issue? {
    guard let simulation = Simulation.current else { return issue }
    // A detached task has no test: its issue is shown to all of them.
    guard state.withLock({ $0.simulation == ObjectIdentifier(simulation) }) else { return nil }
    guard issue.isFailure else {
      note(issue)
      return nil
    }
    let name = issue.invariantName
    state.withLock { state in
      state.names.insert(name)
      if state.issues[name] == nil { state.issues[name] = issue }
    }
    simulation.fail(name, issue.message, mark: issue.mark(in: test))
    return nil
  }

  private func note(_ issue: Issue) {
    let text = issue.debugDescription
    state.withLock { state in
      guard state.notes[text] == nil else { return }
      state.notes[text] = issue
      state.order.append(text)
    }
  }

  /// Known issues and warnings, each once, in the order in which they came.
  var notes: [Issue] { state.withLock { state in state.order.compactMap { state.notes[$0] } } }

  /// Whether what violates `invariant` is something that the body recorded or threw.
  func mayHold(_ invariant: String) -> Bool {
    invariant == BuiltIn.throws || state.withLock { $0.names.contains(invariant) }
  }

  /// What proves, in the last schedule that ran, that `invariant` is violated; nil where no issue does.
  func evidence(of invariant: String) -> Finding.Evidence? {
    state.withLock { state in
      if let issue = state.issues[invariant] { return .issue(issue) }
      if invariant == BuiltIn.throws, let error = state.error { return .error(error) }
      return nil
    }
  }

  /// What a test ends with that has been cancelled: what its body threw then.
  var cancellation: any Error { state.withLock(\.error) ?? CancellationError() }
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
