extension Unicode.Scalar {
  /// True for letters, marks, digits, punctuation, symbols and the plain space. False for controls, formats (which can
  /// change the writing direction), line separators, and private or unassigned characters.
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
  /// The text with an escape such as `\u{1b}` for each scalar that would move a cursor, begin a line or change the
  /// writing direction.
  package var visible: String { escaped { $0.isVisible } }

  /// The text with each of its lines made visible in this way.
  package var visibleLines: String { escaped { $0.isVisible || $0 == "\n" } }

  private func escaped(except isPlain: (Unicode.Scalar) -> Bool) -> String {
    guard !unicodeScalars.allSatisfy(isPlain) else { return String(self) }
    var shown = ""
    for scalar in unicodeScalars {
      // Names of Swift contain a no-break space.
      if isPlain(scalar) || scalar == "\u{A0}" {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += scalar.escape
      }
    }
    return shown
  }
}
