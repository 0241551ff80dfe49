internal import Simulator
internal import SimulatorTestSupport
internal import Testing

/// The findings of a search of one test, with what its body recorded. The process that searches passes them to the one
/// in which the test must fail.
struct TestFindings: RelayedFindings {
  var findings: SearchFindings
  /// The evidence that the test would have shown without simulation, by the invariant that it violates.
  var evidence: [String: Evidence]
  /// Known issues and warnings.
  let notes: [RelayedIssue]

  /// The findings to record, one for each of its violations.
  var shown: [Finding] {
    let report = findings.report
    let tried = [report.triedText, report.holds ? nil : findings.keptState].compactMap(\.self)
    return report.violations.map {
      Finding($0, tried: tried.joined(separator: "\n"), evidence[$0.invariant])
    }
  }
}

extension TestFindings {
  init(lost report: Explorer.Report) {
    self.init(findings: SearchFindings(lost: report), evidence: [:], notes: [])
  }
}

/// The result of a replay, with what the body recorded.
struct ReplayFindings: Codable, Sendable {
  let result: Explorer.ReplayResult
  let evidence: [String: Evidence]
  let notes: [RelayedIssue]
  /// True if the test was canceled in the meantime, by itself.
  let isCancelled: Bool

  var shown: [Finding] {
    result.execution.violations.map { Finding($0, tried: nil, evidence[$0.invariant]) }
  }
}

extension ReplayFindings {
  /// Creates the findings of a replay whose copies came to no result.
  init(lost token: Schedule.Token, _ report: Explorer.Report) {
    self.init(
      result: Explorer.ReplayResult(lost: token, report), evidence: [:], notes: [], isCancelled: false)
  }
}

/// The issue that the test would have shown without simulation.
struct Evidence: Codable, Sendable {
  let issue: RelayedIssue
  /// True if the body threw it.
  let isThrown: Bool
}

extension FreshSubject {
  /// Creates the subject for a test, or one argument of it.
  init(_ test: Test, _ testCase: Test.Case?) {
    let id = String(describing: test.id)
    self.init(
      id: id + (testCase?.arguments ?? ""),
      arguments: [
        CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", "^\(id.escaped)$",
      ])
  }
}

extension Test.Case {
  /// A text that distinguishes it from the other arguments of its test, in any process.
  fileprivate var arguments: String {
    guard isParameterized else { return "" }
    return " " + Self.parts(of: self, atMost: 8)
  }

  /// Returns the parts of `value` as text. The library keeps the arguments of a case, and its names for them, private.
  private static func parts(of value: Any, atMost depth: Int) -> String {
    let mirror = Mirror(reflecting: value)
    guard depth > 0, !mirror.children.isEmpty else {
      return value is AnyClass || mirror.displayStyle == .class ? "\(type(of: value))" : "\(value)"
    }
    return mirror.children.filter { $0.label != "body" && $0.label != "value" }
      .map { "\($0.label ?? ""):\(parts(of: $0.value, atMost: depth - 1))" }.joined(separator: ",")
  }
}

extension String {
  /// The string as a regular expression that matches only it.
  fileprivate var escaped: String {
    reduce(into: "") { text, character in
      if !character.isLetter, !character.isNumber, character != "/", character != " " { text += "\\" }
      text.append(character)
    }
  }
}
