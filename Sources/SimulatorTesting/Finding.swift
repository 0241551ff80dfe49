internal import Simulator
internal import Testing

/// A violation to be recorded as one issue.
struct Finding: Sendable {
  private let headline: String
  private let explanation: Comment
  private let evidence: Evidence?

  /// Creates a finding from a violation that a search found, with the text of what it `tried`, or that a replay shows.
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

  /// True if it is the error that the body threw.
  var isThrown: Bool { evidence?.isThrown == true }

  /// Records it at the place where it would have been recorded without simulation, or else at the test.
  func record(in test: Test, _ testCase: Test.Case?) async throws {
    if let evidence {
      try await evidence.issue.record(in: test, testCase, adding: explanation)
    } else {
      Issue.record(headline: headline, explanation.rawValue, at: test.sourceLocation)
    }
  }
}
