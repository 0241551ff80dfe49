import Mutator

/// What became of a mutant.
enum Verdict: Codable, Sendable {
  /// A scenario is not as expected; `reason` names an invariant, or what was never put to the test.
  case killed(scenario: String, reason: String)
  /// It did not end within many times what the original takes. On a busy machine that proves nothing.
  case timeout
  /// The tool ended without a report.
  case broken(status: Int32)
  case survived

  var isKilled: Bool {
    switch self {
    case .killed: true
    case .timeout, .broken, .survived: false
    }
  }

  /// Whether another run would say the same.
  var isFinal: Bool {
    switch self {
    case .killed, .survived: true
    case .timeout, .broken: false
    }
  }

  var text: String {
    switch self {
    case .killed(let scenario, let reason): "killed by `\(scenario)`: \(reason)"
    case .timeout: "not judged: did not end in time"
    case .broken(let status): "not judged: the tool ended with status \(status)"
    case .survived: "survived"
    }
  }
}

/// A mutant and its verdict, as a line of the file of verdicts.
struct Judged: Codable, Sendable {
  let system: String
  let line: Int
  let key: Mutant.Key
  let verdict: Verdict
}
