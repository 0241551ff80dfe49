import ScenarioFiles
import Simulator

/// An element of XML 1.0, to be written.
struct XMLElement {
  let name: String
  let attributes: [(name: String, value: String)]
  var children: [XMLElement] = []
  /// What stands in it before its children; none when empty.
  var text = ""

  /// The element in lines, two blanks a level; text stands as it is, but for what XML cannot hold.
  func lines(indent: Int = 0) -> String {
    let blanks = String(repeating: " ", count: indent)
    let written = attributes.map {
      " \($0.name)=\"\(Self.escaped(WorkflowCommands.spoilt($0.value.visible)))\""
    }.joined()
    if children.isEmpty, text.isEmpty { return "\(blanks)<\(name)\(written)/>\n" }
    let content = Self.escaped(WorkflowCommands.spoilt(text.visibleLines))
    if children.isEmpty { return "\(blanks)<\(name)\(written)>\(content)</\(name)>\n" }
    let inner = children.map { $0.lines(indent: indent + 2) }.joined()
    return "\(blanks)<\(name)\(written)>\(content)\n\(inner)\(blanks)</\(name)>\n"
  }

  /// A `>` too, so that no `]]>` is left.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
