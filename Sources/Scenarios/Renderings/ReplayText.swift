import Simulator

/// The output of `simrun replay`.
enum ReplayText {
  /// The execution: whether it is the recorded one, what it violates, and its timeline.
  static func of(_ result: Explorer.ReplayResult, _ scenario: String, _ variant: String) -> String {
    let execution = result.execution
    let place = result.process == .fresh ? "in a fresh process" : "in this process"
    var lines = ["\(scenario) · \(variant), \(place)"]
    if let divergence = result.divergence {
      lines += TwoColumns.wrapped("DIVERGED: \(divergence)", width: TwoColumns.width)
    }
    lines += execution.violations.flatMap { violation in
      TwoColumns.wrapped(
        "\(violation.invariant) at \(violation.time), step \(violation.step): \(violation.message)",
        width: TwoColumns.width)
    }
    if execution.violations.isEmpty {
      lines += TwoColumns.wrapped(result.nothingViolated ?? "nothing is violated", width: TwoColumns.width)
    }
    return (lines + ["", Explorer.Timeline(execution.trace).description, ""]).joined(separator: "\n")
      + "\(outcome(result)): \(execution.token)"
  }

  private static func outcome(_ result: Explorer.ReplayResult) -> String {
    if result.divergence != nil { return "not reproduced" }
    return result.execution.violations.isEmpty ? "violates nothing" : "reproduced"
  }
}
