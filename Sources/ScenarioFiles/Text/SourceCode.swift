/// The code of Swift files, line by line, without comments that stand alone, imports and empty lines.
package struct SourceCode {
  package struct Line {
    /// Counted from 1.
    package let number: Int
    /// As it stands in the file, without what a guard says of its undoing.
    let text: String
    /// What is compared: no indentation, no comment, and no name of a variant before a type's.
    let key: String

    /// How many spaces stand before it.
    var indentation: Int { text.prefix { $0 == " " }.count }

    /// The name behind `// guard: `.
    package var guardName: String? {
      text.firstRange(of: SourceCode.mark).map { String(text[$0.upperBound...]) }
    }
  }

  static let mark = "// guard: "

  package let lines: [Line]

  /// The code of a file. Types may begin with `prefix`, which says nothing but the variant.
  package init(_ text: String, prefix: String = "") {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    lines = all.enumerated().compactMap { index, line in
      let code = line.drop { $0 == " " }
      guard !code.isEmpty, !code.hasPrefix("//"), !code.hasPrefix("import "), !code.hasPrefix("#") else {
        return nil
      }
      return Line(number: index + 1, text: Self.shown(line), key: Self.key(code, without: prefix))
    }
  }

  /// The code of several files, one after the other.
  package init(joining files: [SourceCode]) {
    lines = files.flatMap(\.lines)
  }

  /// Without what stands there when a guard is undone.
  private static func shown(_ line: Substring) -> String {
    guard let mark = line.firstRange(of: mark) else { return String(line) }
    let name = line[mark.upperBound...]
    return String(line[..<(name.firstRange(of: " => ")?.lowerBound ?? line.endIndex)])
  }

  private static func key(_ code: Substring, without prefix: String) -> String {
    let statement = code.firstRange(of: "  //").map { code[..<$0.lowerBound] } ?? code
    guard !prefix.isEmpty else { return String(statement) }
    var key = ""
    var rest = statement
    while let found = rest.firstRange(of: prefix) {
      let isWord = rest[..<found.lowerBound].last.map { $0.isLetter || $0.isNumber } ?? false
      let goesOn = rest[found.upperBound...].first?.isUppercase ?? false
      key += rest[..<(isWord || !goesOn ? found.upperBound : found.lowerBound)]
      rest = rest[found.upperBound...]
    }
    return key + rest
  }

  /// What two file names begin with before the part that they share, which begins with an upper-case letter: `Naive` and
  /// `Hardened` of `NaiveInbox` and `HardenedInbox`. Empty where they share none.
  package static func prefixes(_ one: String, _ other: String) -> (String, String) {
    let shared = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
    let suffix = one.suffix(shared).drop { !$0.isUppercase }
    guard !suffix.isEmpty else { return ("", "") }
    return (String(one.dropLast(suffix.count)), String(other.dropLast(suffix.count)))
  }
}
