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

  /// Single quotes where a shell would otherwise see more than one word; bytes by their numbers where they would do
  /// more to a terminal than show.
  private static func quoted(_ text: String) -> String {
    guard text.unicodeScalars.allSatisfy(\.isVisible) else {
      let bytes = text.utf8.map { byte in
        let isPlain = byte.isLetter || byte.isDigit || "./_-+,:=@%".utf8.contains(byte)
        return isPlain
          ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return "$'\(bytes.joined())'"
    }
    let plain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "./_-+,:=@%".contains($0)) }
    guard !plain || text.isEmpty else { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
