extension Unicode.Scalar {
  /// Letters, marks, digits, punctuation, symbols and the plain space. Not controls, formats (which turn the
  /// writing direction), line separators, private or unassigned characters.
  package var isVisible: Bool {
    if (0x20..<0x7F).contains(value) { return true }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .spaceSeparator: false
    default: true
    }
  }

  /// The scalar as a string literal of Swift writes it: `\n`, `\u{1b}`.
  package var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16))}"
    }
  }
}

extension StringProtocol {
  /// The text with `\u{1b}` in place of what would move a cursor, begin a line or turn the writing direction.
  package var visible: String { escaped { $0.isVisible } }

  /// The same in each of its lines.
  package var visibleLines: String { escaped { $0.isVisible || $0 == "\n" } }

  private func escaped(except isPlain: (Unicode.Scalar) -> Bool) -> String {
    guard !unicodeScalars.allSatisfy(isPlain) else { return String(self) }
    var shown = ""
    for scalar in unicodeScalars {
      // Names of Swift have a space that does not break.
      if isPlain(scalar) || scalar == "\u{A0}" {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += scalar.escape
      }
    }
    return shown
  }
}
