import Simulator

/// The line that replays a schedule.
enum ReplayCommand {
  /// The command that replays a schedule, on one line, ready to paste into a shell.
  static func line(_ file: String, _ scenario: String, _ variant: String, _ token: ScheduleToken) -> String {
    let run = token.build == .debug ? "swift run" : "swift run -c \(token.build.rawValue)"
    return "\(run) \(ToolIdentity.name) replay \(quoted(file)) \(scenario) \(variant) \(token)"
  }

  /// Single quotes where a shell would otherwise see more than one word; bytes by their numbers where they
  /// would do more to a terminal than show.
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
