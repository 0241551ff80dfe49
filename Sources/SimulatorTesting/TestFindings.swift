internal import Simulator
internal import SimulatorTestSupport
internal import Testing

/// What a search has found of one test, with what its body recorded: it goes from the process that searches to the one in which
/// the test is to fail.
struct TestFindings: RelayedFindings {
  var findings: SearchFindings
  /// What the test would have shown without simulation, by the invariant that it violates.
  var evidence: [String: Evidence]
  /// Known issues and warnings.
  let notes: [RelayedIssue]

  /// What is to be recorded of its violations.
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

/// What a replay has led to, with what the body recorded.
struct ReplayFindings: Codable, Sendable {
  let result: Explorer.ReplayResult
  let evidence: [String: Evidence]
  let notes: [RelayedIssue]
  /// Whether the test has been cancelled meanwhile, by itself.
  let isCancelled: Bool

  var shown: [Finding] {
    result.execution.violations.map { Finding($0, tried: nil, evidence[$0.invariant]) }
  }
}

extension ReplayFindings {
  /// What is known of a replay whose copies came to no answer.
  init(lost token: Schedule.Token, _ report: Explorer.Report) {
    self.init(
      result: Explorer.ReplayResult(lost: token, report), evidence: [:], notes: [], isCancelled: false)
  }
}

/// What the test would have shown without simulation.
struct Evidence: Codable, Sendable {
  let issue: RelayedIssue
  /// Whether the body threw it.
  let isThrown: Bool
}

extension FreshSubject {
  /// A test, or one argument of it.
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
  /// What tells it from the other arguments of its test, in any process.
  fileprivate var arguments: String {
    guard isParameterized else { return "" }
    return " " + Self.parts(of: self, atMost: 8)
  }

  /// The library keeps the arguments of a case, and what it calls them, for itself.
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
  /// As a regular expression that matches it alone.
  fileprivate var escaped: String {
    reduce(into: "") { text, character in
      if !character.isLetter, !character.isNumber, character != "/", character != " " { text += "\\" }
      text.append(character)
    }
  }
}
