import Simulator

extension JSONTree {
  /// The tree as text, two spaces a level; what fits on a line stays on one.
  package var text: String { text(indent: 0) }

  private static let lineLength = 100

  private func text(indent: Int) -> String {
    let short = oneLine
    if indent + short.count <= Self.lineLength { return short }
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.text(indent: indent + 2) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map { "\(inner)\(Self.quoted($0.key)): \($0.value.text(indent: indent + 2))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
    default: return short
    }
  }

  private var oneLine: String {
    switch self {
    case .bool(let truth): "\(truth)"
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .string(let text): Self.quoted(text)
    case .array(let elements):
      elements.isEmpty ? "[]" : "[\(elements.map(\.oneLine).joined(separator: ", "))]"
    case .object(let members):
      members.isEmpty
        ? "{}"
        : "{ \(members.map { "\(Self.quoted($0.key)): \($0.value.oneLine)" }.joined(separator: ", ")) }"
    }
  }

  /// The text as a JSON string. What could do more than show is escaped, and so is what a runner of workflows
  /// would take for a command.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    var last: (Unicode.Scalar, Unicode.Scalar) = (" ", " ")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted.unicodeScalars.append(contentsOf: ["\\", scalar])
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "[" where last == ("#", "#"): quoted += Echo.jsonEscape(UInt16(scalar.value))
      case _ where scalar.isVisible: quoted.unicodeScalars.append(scalar)
      default: quoted += UTF16.encode(scalar).map { $0.map(Echo.jsonEscape).joined() } ?? ""
      }
      last = (last.1, scalar)
    }
    return quoted + "\""
  }
}
