internal import Foundation
internal import Testing

/// An issue that another process can record as its own.
///
/// The body of a simulated test runs in copies of the test process. The test process, which has not run the body,
/// records again what the body recorded there.
struct RelayedIssue: Codable, Sendable {
  private let kind: Kind
  private let isWarning: Bool
  private let known: Known?
  private let comments: [String]
  private let place: Place?

  fileprivate enum Kind: Codable {
    case expectation(Expected)
    case confirmation(actual: Int, expected: Bounds)
    case error(String)
    case attachment(String)
    case timeLimit(seconds: Int64, attoseconds: Int64)
    case knownIssueNotRecorded, unconditional
    /// An issue that only the testing library itself can record.
    case other(String)
  }

  /// The reason why an issue is known.
  private struct Known: Codable {
    let comment: String?
  }

  /// Captures `issue` as the body recorded it.
  init(_ issue: Issue) {
    kind = Kind(issue.kind)
    isWarning = issue.severity < .error
    comments = issue.comments.map(\.rawValue)
    place = issue.sourceLocation.map(Place.init)
    let context = Mirror(reflecting: issue).descendant("knownIssueContext", 0)
    known =
      isWarning || issue.isFailure
      ? nil : Known(comment: context.flatMap { Mirror(reflecting: $0).text("comment", "rawValue") })
  }

  /// Captures `error`, which the body of the test at `location` threw.
  init(thrown error: any Error, at location: SourceLocation) {
    (kind, isWarning, known, comments) = (.error("\(error)"), false, nil, [])
    place = Place(location)
  }

  /// Records the issue at its own place, with `comment` below.
  ///
  /// The testing library records only what has just happened. So this records a stand-in, and a trait turns it into the
  /// issue.
  func record(in test: Test, _ testCase: Test.Case?, adding comment: Comment? = nil) async throws {
    let trait: IssueHandlingTrait = .compactMapIssues { standIn in
      var issue = standIn
      issue.comments = comments.map { Comment(rawValue: $0) } + [comment].compactMap(\.self)
      issue.sourceLocation = place?.location
      switch kind {
      case .confirmation(let actual, let expected):
        issue.kind = .confirmationMiscounted(actual: actual, expected: expected.range)
      case .error(let text): issue.kind = .errorCaught(RelayedError(description: text))
      case .attachment(let text): issue.kind = .valueAttachmentFailed(RelayedError(description: text))
      case .timeLimit(let seconds, let attoseconds):
        issue.kind = .timeLimitExceeded(timeLimitComponents: (seconds, attoseconds))
      case .knownIssueNotRecorded: issue.kind = .knownIssueNotRecorded
      case .other(let text): issue.comments.insert("\(text)", at: 0)
      case .expectation, .unconditional: break
      }
      return issue
    }
    try await trait.provideScope(for: test, testCase: testCase) { recordStandIn() }
  }

  private func recordStandIn() {
    guard let known else { return recordUnknown() }
    withKnownIssue(known.comment.map { Comment(rawValue: $0) }, isIntermittent: true) { recordUnknown() }
  }

  private func recordUnknown() {
    if case .expectation(let expected) = kind {
      expected.fail()
    } else {
      Issue.record(severity: isWarning ? .warning : .error)
    }
  }
}

/// An error that was thrown in another process.
private struct RelayedError: Error, CustomStringConvertible {
  let description: String
}

// MARK: - What it consists of

extension RelayedIssue.Kind {
  fileprivate init(_ kind: Issue.Kind) {
    self =
      switch kind {
      case .unconditional: .unconditional
      case .expectationFailed(let expectation): .expectation(Expected(expectation, "\(kind)"))
      case .confirmationMiscounted(let actual, let expected):
        Bounds(expected).map { .confirmation(actual: actual, expected: $0) } ?? .other("\(kind)")
      case .errorCaught(let error): .error("\(error)")
      case .timeLimitExceeded(let time): .timeLimit(seconds: time.seconds, attoseconds: time.attoseconds)
      case .knownIssueNotRecorded: .knownIssueNotRecorded
      case .valueAttachmentFailed(let error): .attachment("\(error)")
      default: .other("\(kind)")
      }
  }
}

/// A failed expectation, with the values of its parts.
private struct Expected: Codable {
  let expression: Testing.__Expression
  let isRequired: Bool
  let error: String?
  let difference: String?
  let exit: String?

  /// `text` describes it, in case the library keeps its parts under other names.
  init(_ expectation: Expectation, _ text: String) {
    let parts = Mirror(reflecting: expectation)
    let source = text.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? text
    expression =
      parts.descendant("evaluatedExpression") as? Testing.__Expression ?? .__fromSyntaxNode(source)
    isRequired = expectation.isRequired
    error = parts.text("mismatchedErrorDescription")
    difference = parts.text("differenceDescription")
    exit = parts.text("mismatchedExitConditionDescription")
  }

  /// Records that the expectation failed.
  func fail() {
    // This is the call that the macro makes, which records an issue. The first expression decides only if the condition
    // is negated.
    _ = Testing.__checkValue(
      false, expression: .__fromSyntaxNode("false"), expressionWithCapturedRuntimeValues: expression,
      mismatchedErrorDescription: error, difference: difference, mismatchedExitConditionDescription: exit,
      comments: [], isRequired: isRequired, sourceLocation: #_sourceLocation)
  }
}

/// The number of times that something was to be confirmed.
private struct Bounds: Codable {
  let lower: Int
  let upper: Int?

  init?(_ range: any RangeExpression) {
    switch range {
    case let range as ClosedRange<Int>: (lower, upper) = (range.lowerBound, range.upperBound)
    case let range as Range<Int>: (lower, upper) = (range.lowerBound, range.upperBound - 1)
    case let range as PartialRangeFrom<Int>: (lower, upper) = (range.lowerBound, nil)
    default: return nil
    }
  }

  var range: any RangeExpression<Int> & Sendable {
    if let upper { lower...max(lower, upper) } else { lower... }
  }
}

private struct Place: Codable {
  let fileID, filePath: String
  let line, column: Int

  init(_ location: SourceLocation) {
    (fileID, filePath) = (location.fileID, location.filePath)
    (line, column) = (location.line, location.column)
  }

  var location: SourceLocation {
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Mirror {
  /// Returns the text at a path, if there is one.
  fileprivate func text(_ first: String, _ rest: String...) -> String? {
    var value = descendant(first)
    for name in rest {
      while let some = value, Mirror(reflecting: some).displayStyle == .optional {
        value = Mirror(reflecting: some).children.first?.value
      }
      value = value.flatMap { Mirror(reflecting: $0).descendant(name) }
    }
    return value as? String
  }
}
