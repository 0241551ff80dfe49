/// The bullets of a section of PLAN.md that begin with a path or a word, each with what it says of it.
struct Section {
  struct Entry {
    let path: String
    /// A second word in backquotes, such as a function's name.
    let detail: String?
    let reason: String
    let line: Int
  }

  let entries: [Entry]

  /// - Parameters:
  ///   - heading: the text of the section's heading.
  ///   - folder: the folder of the paths; empty for words.
  init(_ heading: String, in document: String, below folder: String = "Sources/") throws(Refusal) {
    var isInside = false
    var wasFound = false
    var entries: [Entry] = []
    for (number, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("#") {
        isInside = line.drop { $0 == "#" || $0 == " " } == heading
        wasFound = wasFound || isInside
      } else if isInside, line.hasPrefix("- `\(folder)") {
        let parts = line.split(separator: "`", maxSplits: 4, omittingEmptySubsequences: false)
        let isDetailed = parts.count > 3 && parts[2] == ", "
        let reason = parts.dropFirst(isDetailed ? 4 : 2).joined(separator: "`").drop {
          $0 == ":" || $0 == " "
        }
        entries.append(
          Entry(
            path: String(parts[1].dropFirst(folder.count)), detail: isDetailed ? String(parts[3]) : nil,
            reason: String(reason), line: number + 1))
      }
    }
    guard wasFound else { throw Refusal("PLAN.md has no section “\(heading)”") }
    self.entries = entries
  }
}
