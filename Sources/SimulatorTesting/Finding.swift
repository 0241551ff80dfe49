internal import Simulator
internal import Testing

/// A violation that is to be recorded as one issue.
struct Finding: Sendable {
  /// What the test would have shown without simulation.
  enum Evidence: Sendable {
    case issue(Issue)
    case error(any Error)
  }

  private let headline: String
  private let explanation: Comment
  private let evidence: Evidence?

  /// A violation that a search found, which has `tried`, or that a replay shows.
  init(_ violation: Invariant.Violation, tried: String?, _ evidence: Evidence?) {
    let told = Explorer.Explanation(violation) { "replay: .simulated(replaying: \"\($0)\")" }
    let advice =
      tried == nil
      ? "what to do: cure it and run the test again. `.simulated(replays: […])` with this token keeps the schedule beside a search."
      : "what to do: write the trait below in the place of `.simulated`. Then only this schedule runs, as often as you like, in "
        + "a debugger too."
    headline = told.testHeadline
    explanation = Comment(rawValue: told.testText(isNamed: evidence == nil, tried: tried, advice: advice))
    self.evidence = evidence
  }

  /// Whether it is what the body threw.
  var isThrown: Bool {
    if case .error = evidence { true } else { false }
  }

  /// Records it where it would have been recorded without simulation, else at the test.
  func record(in test: Test, _ testCase: Test.Case?) async throws {
    switch evidence {
    case .issue(var issue):
      issue.comments.append(explanation)
      try await issue.recordAgain(in: test, testCase)
    case .error(let error): Issue.record(error, explanation, sourceLocation: test.sourceLocation)
    case nil: Issue.record(headline: headline, explanation.rawValue, at: test.sourceLocation)
    }
  }
}

extension Issue {
  /// Records it as it is, at its own place.
  ///
  /// The testing library records only what has just happened: a stand-in is recorded, and replaced on its
  /// way.
  func recordAgain(in test: Test, _ testCase: Test.Case?) async throws {
    let trait: IssueHandlingTrait = .compactMapIssues { standIn in
      guard case .apiMisused = self.kind else { return self }
      // Only the testing library itself can record this kind.
      var issue = standIn
      issue.comments = ["\(self.kind)"] + self.comments
      issue.sourceLocation = self.sourceLocation
      return issue
    }
    try await trait.provideScope(for: test, testCase: testCase) {
      Issue.record(severity: self.severity)
    }
  }
}
