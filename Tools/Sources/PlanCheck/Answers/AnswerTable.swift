/// The lists of Documentation/ANSWERS.md: what becomes of each function of a library that a program can call.
struct AnswerTable {
  enum Fate: String, CaseIterable {
    case answered = "Answered"
    case escape = "An escape"
    case same = "The same"
    case different = "Different"
    case noQuestion = "No question"

    /// Whether a function of the simulator's stands before it.
    var isOurs: Bool { self == .answered || self == .escape }
  }

  /// A name, or a pattern with `*` and `?` for many.
  struct Row {
    let fate: Fate
    let pattern: String
    let line: Int

    var isPattern: Bool { pattern.contains { $0 == "*" || $0 == "?" } }
  }

  struct Library {
    let name: String
    /// The versions whose functions all have rows.
    var versions: [String] = []
    var rows: [Row] = []
  }

  private(set) var libraries: [Library] = []
  /// What each of the other libraries asks of the C library.
  private(set) var asked: [(library: String, names: Set<String>, line: Int)] = []
  /// What is wrong with the lists themselves.
  private(set) var findings: [Finding] = []

  private static let headingOfAsked = "What the libraries ask"

  init(in document: String) {
    var heading = ""
    var fate: Fate?
    for (line, text) in Self.paragraphs(of: document) {
      if text.hasPrefix("### ") {
        fate = Fate(rawValue: String(text.dropFirst(4)))
        if fate == nil { findings.append(Finding("ANSWERS.md:\(line): “\(text.dropFirst(4))” is no fate")) }
      } else if text.hasPrefix("## ") {
        (heading, fate) = (String(text.dropFirst(3)), nil)
        if heading != Self.headingOfAsked { libraries.append(Library(name: heading)) }
      } else if text.hasPrefix("Made for "), !libraries.isEmpty {
        libraries[libraries.count - 1].versions = text.dropFirst("Made for ".count).dropLast().split(
          separator: ", "
        )
        .map(String.init)
      } else if text.hasPrefix("- ") {
        add(Self.bullet(text), line, fate, isAsked: heading == Self.headingOfAsked)
      }
    }
    libraries.removeAll { $0.rows.isEmpty }
  }

  private mutating func add(
    _ bullet: (names: [String], reason: String), _ line: Int, _ fate: Fate?, isAsked: Bool
  ) {
    if isAsked, let library = bullet.names.first {
      asked.append((library, Set(Self.names(in: bullet.reason)), line))
    } else if let fate, !libraries.isEmpty {
      libraries[libraries.count - 1].rows += bullet.names.map { Row(fate: fate, pattern: $0, line: line) }
      if bullet.reason.isEmpty { findings.append(Finding("ANSWERS.md:\(line): no reason")) }
    }
  }

  /// Headings, bullets and other paragraphs, each as one line.
  private static func paragraphs(of document: String) -> [(line: Int, text: String)] {
    var found: [(line: Int, text: String)] = []
    for (number, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("  "), !found.isEmpty {
        found[found.count - 1].text += " " + line.drop { $0 == " " }
      } else if !line.isEmpty {
        found.append((number + 1, String(line)))
      }
    }
    return found
  }

  /// What stands in backquotes before the first colon, and what follows that.
  private static func bullet(_ text: String) -> (names: [String], reason: String) {
    var isQuoted = false
    let head = text.prefix { character in
      if character == "`" { isQuoted.toggle() }
      return isQuoted || character != ":"
    }
    return (names(in: String(head)), String(text.dropFirst(head.count + 1).drop { $0 == " " }))
  }

  private static func names(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }
}

extension AnswerTable.Library {
  /// The row of a function: its own, or the first whose pattern it fits. A second name of a function that nobody stands
  /// before, such as one with underscores, is in the row of that.
  func row(of name: String) -> AnswerTable.Row? {
    if let found = ownRow(of: name) { return found }
    let first = Self.firstName(of: name)
    guard first != name, let found = ownRow(of: first), !found.fate.isOurs else { return nil }
    return found
  }

  private func ownRow(of name: String) -> AnswerTable.Row? {
    rows.first { $0.pattern == name } ?? rows.first { $0.isPattern && Glob($0.pattern).matches(name) }
  }

  private static func firstName(of name: String) -> String {
    var first = name.drop { $0 == "_" }
    guard first.count < name.count else { return name }
    for prefix in ["isoc99_", "isoc23_", "xpg_", "posix_"] where first.hasPrefix(prefix) {
      first = first.dropFirst(prefix.count)
    }
    for suffix in ["_chk", "_internal", "_2"] where first.hasSuffix(suffix) {
      first = first.dropLast(suffix.count)
    }
    return String(first)
  }
}

/// A pattern in which `*` stands for any text, and `?` for a character.
struct Glob {
  private let pattern: [Character]

  init(_ pattern: String) { self.pattern = Array(pattern) }

  func matches(_ text: String) -> Bool { matches(Array(text)[...], pattern[...]) }

  private func matches(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return matches(text, pattern.dropFirst()) || (!text.isEmpty && matches(text.dropFirst(), pattern))
    }
    guard let character = text.first, first == "?" || first == character else { return false }
    return matches(text.dropFirst(), pattern.dropFirst())
  }
}
