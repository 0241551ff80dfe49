import Simulator

/// What `simrun replay` says, and the line that calls it.
enum ReplayText {
  /// The command that replays a schedule, on one line, ready to paste into a shell.
  static func line(_ file: String, _ scenario: String, _ variant: String, _ token: ScheduleToken) -> String {
    let run = token.build == .debug ? "swift run" : "swift run -c \(token.build.rawValue)"
    return "\(run) \(HelpText.tool) replay \(quoted(file)) \(scenario) \(variant) \(token)"
  }

  /// The execution: whether it is the recorded one, what it violates, and its timeline.
  static func of(_ result: ReplayResult, _ request: ReplayRequest) -> String {
    let execution = result.execution
    var lines = ["\(request.scenario.name) · \(request.variant)"]
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
    return (lines + ["", Timeline(execution.trace).description, ""]).joined(separator: "\n")
      + (reproduced ? "reproduced" : "not reproduced") + ": \(execution.token)"
  }

  /// What is wrong with a recorded schedule; nil if it reproduces.
  static func complaint(_ replayed: ReplayedToken) -> String? {
    let shown = Echo.plain(replayed.replay.token, limit: 40)
    return switch replayed.outcome {
    case .reproduced, .hint: nil
    case .harmless: "RECORDED, BUT NO LONGER VIOLATES WHAT IS EXPECTED: \(shown)"
    case .diverged(let divergence): "RECORDED, BUT DIVERGED: \(shown): \(divergence)"
    case .unreadable(let error): "RECORDED, BUT UNREADABLE: \(shown): \(error)"
    }
  }

  /// Single quotes where a shell would otherwise see more than one word.
  private static func quoted(_ text: String) -> String {
    let plain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "./_-+,:=@%".contains($0)) }
    guard !plain || text.isEmpty else { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
