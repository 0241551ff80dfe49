package import SimulatorFiles

/// An error in the inclusion of a file.
package enum IncludeFault: Error, Equatable, Sendable {
  case leavesFolder(String)
  /// A part of the path is a dot; `plain` is the path without.
  case dotted(String, plain: String)
  case unreadable(UnreadableFile)
  case repeated(String)
  case tooMuch(files: Int, bytes: Int)
  case scenarioRepeated(String, file: String, SourcePosition)
}

extension IncludeFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .leavesFolder(let path):
      "found \(Echo.quoted(path)); an included file stands in the folder of this one or below it, "
        + "named like \"scenarios/inbox.json\""
    case .dotted(let path, let plain):
      "found \(Echo.quoted(path)); write \(Echo.quoted(plain)), without \"./\""
    case .unreadable(let file): "cannot include \(file)"
    case .repeated(let path): "\(Echo.quoted(path)) is included already; remove one"
    case .tooMuch(let files, let bytes):
      "too much is included; allowed: \(files) files, or as many as hold \(bytes >> 20) MiB; split them into several runs"
    case .scenarioRepeated(let name, let file, let first):
      "the scenario \(Echo.quoted(name)) stands already at \(Echo.plain(file)):\(first); rename or remove one"
    }
  }
}
