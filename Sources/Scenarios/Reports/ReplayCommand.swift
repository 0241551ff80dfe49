import ScenarioFiles
import Simulator

/// The line that replays a schedule.
enum ReplayCommand {
  /// The command that replays a schedule, on one line, ready to paste into a shell.
  static func line(_ file: String, _ scenario: String, _ variant: String, _ token: Schedule.Token) -> String {
    "\(program(token.build)) replay \(quoted(file)) \(scenario) \(variant) \(token)"
  }

  /// How this program was called.
  private static func program(_ build: Schedule.Token.Build) -> String {
    guard let path = ToolIdentity.path else { return swiftRun(build) + ToolIdentity.name }
    return program(called: path, build)
  }

  /// `path` as a person has typed it. `swift run` names a program by its place under `.build`, from where it was called.
  static func program(called path: String, _ build: Schedule.Token.Build) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 4, !path.hasPrefix("/"), parts[parts.count - 4] == ".build",
      parts[parts.count - 3].contains("-"), parts[parts.count - 2] == build.rawValue
    else { return quoted(path) }
    let folder = parts.dropLast(4).joined(separator: "/")
    let package = folder.isEmpty ? "" : "--package-path \(quoted(folder)) "
    return swiftRun(build) + package + quoted(String(parts[parts.count - 1]))
  }

  private static func swiftRun(_ build: Schedule.Token.Build) -> String {
    build == .debug ? "swift run " : "swift run -c \(build.rawValue) "
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
