/// Names that a file gives itself: they stand in command lines, patterns and replay lines, so they are kept
/// plain.
package enum PlainName {
  static let longest = 100

  /// The same rule as a regular expression, for the schema.
  static let pattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,\(longest - 1)}$"

  static func admits(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= longest else { return false }
    return isAlphanumeric(first) && name.utf8.allSatisfy { isAlphanumeric($0) || "._-".utf8.contains($0) }
  }

  /// A name that is admitted, as near to `text` as it may be; `text` begins with a letter.
  package static func made(of text: String) -> String {
    let plain = text.unicodeScalars.map { admits("a\($0)") ? String($0) : "-" }.joined()
    return String(plain.prefix(longest))
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit }
}
