internal import Simulator
internal import Testing

/// A violation that is to be recorded as one issue.
struct Finding: Sendable {
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
  var isThrown: Bool { evidence?.isThrown == true }

  /// Records it where it would have been recorded without simulation, else at the test.
  func record(in test: Test, _ testCase: Test.Case?) async throws {
    if let evidence {
      try await evidence.issue.record(in: test, testCase, adding: explanation)
    } else {
      Issue.record(headline: headline, explanation.rawValue, at: test.sourceLocation)
    }
  }
}
