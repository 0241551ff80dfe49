/// A source file, taken apart into code and comments; what strings hold is neither.
///
/// A light reading of Swift and C: strings of every kind with their interpolations, nested comments, regex literals in
/// parentheses, preprocessor lines. Both parts keep every line break and every column of the original.
struct SourceText {
  enum Language { case swift, c }

  /// The text in UTF-8, with a space for every byte of a string or a comment.
  private(set) var code: [UInt8] = []
  /// The text in UTF-8, with a space for every byte outside comments.
  private(set) var comments: [UInt8] = []
  private let text: [UInt8]
  private let language: Language
  private var at = 0

  init(_ text: String, _ language: Language) {
    self.text = Array(text.utf8)
    self.language = language
    while at < self.text.count { readCode() }
  }

  private enum Kind { case code, comment, blank }

  private mutating func take(_ count: Int = 1, as kind: Kind) {
    for byte in text[at..<min(at + count, text.count)] {
      code.append(kind == .code || byte == newline ? byte : space)
      comments.append(kind == .comment || byte == newline ? byte : space)
    }
    at += count
  }

  private func starts(with word: String) -> Bool { text[at...].starts(with: word.utf8) }

  /// Reads one token of code, or one whole string or comment.
  private mutating func readCode() {
    if starts(with: "//") {
      while at < text.count, text[at] != newline { take(as: .comment) }
    } else if starts(with: "/*") {
      readBlockComment()
    } else if language == .c {
      readC()
    } else if let hashes = stringStart {
      readString(hashes: hashes)
    } else if text[at] == UInt8(ascii: "/"), isAfterOpening {
      readRegex()
    } else {
      take(as: .code)
    }
  }

  private mutating func readBlockComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        // C's comments do not nest.
        depth = language == .c ? 1 : depth + 1
        take(2, as: .comment)
      } else if starts(with: "*/") {
        depth -= 1
        take(2, as: .comment)
      } else {
        take(as: .comment)
      }
    } while depth > 0 && at < text.count
  }

  // MARK: Swift

  /// The number of `#` in front of a quotation mark, if a string begins here.
  private var stringStart: Int? {
    let hashes = text[at...].prefix { $0 == UInt8(ascii: "#") }.count
    return at + hashes < text.count && text[at + hashes] == UInt8(ascii: "\"") ? hashes : nil
  }

  private mutating func readString(hashes: Int) {
    let delimiter = String(repeating: "#", count: hashes)
    take(hashes, as: .blank)
    let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    take(quotes.count, as: .blank)
    while at < text.count {
      if starts(with: quotes + delimiter) { return take(quotes.count + hashes, as: .blank) }
      if starts(with: "\\\(delimiter)(") {
        take(1 + hashes, as: .blank)
        readInterpolation()
      } else if starts(with: "\\\(delimiter)") {
        take(2 + hashes, as: .blank)
      } else {
        take(as: .blank)
      }
    }
  }

  private mutating func readInterpolation() {
    var depth = 0
    repeat {
      if text[at] == UInt8(ascii: "(") { depth += 1 }
      if text[at] == UInt8(ascii: ")") { depth -= 1 }
      readCode()
    } while depth > 0 && at < text.count
  }

  /// Only behind `(` or `=`, where a division cannot stand.
  private var isAfterOpening: Bool {
    guard let before = code.last(where: { $0 != space }) else { return false }
    return (before == UInt8(ascii: "(") || before == UInt8(ascii: "=")) && at + 1 < text.count
      && text[at + 1] != space
  }

  private mutating func readRegex() {
    take(as: .blank)
    while at < text.count, text[at] != UInt8(ascii: "/"), text[at] != newline {
      take(text[at] == UInt8(ascii: "\\") ? 2 : 1, as: .blank)
    }
    take(as: .blank)
  }

  // MARK: C

  private mutating func readC() {
    if text[at] == UInt8(ascii: "#"), (code.last(where: { $0 != space }) ?? newline) == newline {
      while at < text.count, text[at] != newline { take(starts(with: "\\\n") ? 2 : 1, as: .blank) }
    } else if text[at] == UInt8(ascii: "\"") || text[at] == UInt8(ascii: "'") {
      let quote = text[at]
      take(as: .blank)
      while at < text.count, text[at] != quote { take(text[at] == UInt8(ascii: "\\") ? 2 : 1, as: .blank) }
      take(as: .blank)
    } else {
      take(as: .code)
    }
  }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
