internal import SimulatorCore

/// Breaks text into lines.
enum Wrapping {
  /// Breaks `text` at spaces, and inside a word that is longer than a line. Leading spaces stay; later lines are
  /// indented by `indent`.
  static func lines(_ text: String, width: Int, indent: Int = 1) -> [String] {
    let lead = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = String(text.prefix { $0 == " " })
    var isFresh = true
    for word in text.split(separator: " ") {
      var rest = word
      if !isFresh, rest.isLonger(than: width - line.count - 1) {
        lines.append(line)
        (line, isFresh) = (lead, true)
      }
      while isFresh, rest.isLonger(than: width - line.count), width > indent {
        let room = width - line.count
        lines.append(line + rest.prefix(room))
        rest = rest.dropFirst(room)
        line = lead
      }
      line += (isFresh ? "" : " ") + rest
      isFresh = false
    }
    return lines + [line]
  }

  /// Breaks the lines of `text` that are too long, indents the rest a little more, and makes characters that could move
  /// a cursor visible.
  static func text(_ text: String, width: Int) -> String {
    text.visibleLines.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { line in
        let indent = line.prefix { $0 == " " }.count
        return line.count <= width ? [String(line)] : lines(String(line), width: width, indent: indent + 4)
      }
      .joined(separator: "\n")
  }

  /// Returns `text` in exactly `width` characters.
  static func cell(_ text: String, _ width: Int) -> String {
    let cut = text.count > width ? text.prefix(width - 1) + "…" : Substring(text)
    return cut + String(repeating: " ", count: width - cut.count)
  }
}

extension StringProtocol {
  /// Returns true if the text has more than `count` characters. O(`count`), whatever its length.
  fileprivate func isLonger(than count: Int) -> Bool {
    count < 0 || index(startIndex, offsetBy: count, limitedBy: endIndex).map { $0 < endIndex } ?? false
  }
}

extension String {
  var trimmedAtEnd: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
