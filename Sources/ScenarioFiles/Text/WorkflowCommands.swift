/// Lines that a runner of GitHub Actions would take for commands to itself.
///
/// It obeys a line that begins with `::`, blanks aside, and one that has `##[` anywhere.
package enum WorkflowCommands {
  /// The text with every such line spoilt, so that nothing in a scenario file can give commands.
  package static func spoilt(_ text: String) -> String {
    var spoilt = ""
    var begins = true
    var last: (Unicode.Scalar, Unicode.Scalar) = (" ", " ")
    for scalar in text.unicodeScalars {
      if scalar == ":", last.1 == ":", begins {
        spoilt += "\\u{3a}"
        begins = false
      } else if scalar == "[", last == ("#", "#") {
        spoilt += "\\u{5b}"
      } else {
        spoilt.unicodeScalars.append(scalar)
      }
      if scalar == "\n" {
        begins = true
      } else if scalar != ":" && !scalar.properties.isWhitespace || scalar == ":" && last.1 == ":" {
        begins = false
      }
      last = (last.1, scalar)
    }
    return spoilt
  }
}
