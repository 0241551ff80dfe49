import Simulator

/// The output of `simrun replay`.
enum ReplayText {
  /// The execution: whether it is the recorded one, what it violates, and its timeline.
  static func of(_ result: Explorer.ReplayResult, _ scenario: String, _ variant: String) -> String {
    let execution = result.execution
    var lines = ["\(scenario) · \(variant)"]
    if let divergence = result.divergence {
      lines += TwoColumns.wrapped("DIVERGED: \(divergence)", width: TwoColumns.width)
    }
    lines += execution.violations.flatMap { violation in
      TwoColumns.wrapped(
        "\(violation.invariant) at \(violation.time), step \(violation.step): \(violation.message)",
        width: TwoColumns.width)
    }
    if execution.violations.isEmpty { lines.append("nothing is violated") }
    let reproduced = result.divergence == nil && !execution.violations.isEmpty
    return (lines + ["", Explorer.Timeline(execution.trace).description, ""]).joined(separator: "\n")
      + (reproduced ? "reproduced" : "not reproduced") + ": \(execution.token)"
  }
}
