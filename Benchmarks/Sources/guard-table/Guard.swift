import Foundation

/// A line of a hardened variant, or several of one name, without which it would not be hardened.
struct Guard {
  /// The folder of its system below the catalog.
  let system: String
  let name: String
  /// What is undone, file by file.
  private(set) var edits: [Edit]

  /// One line of one file, and what stands there when it is undone: nothing; what its comment says after `=>`; or, where
  /// that is too long, what the line above says after `// undone: `.
  struct Edit {
    /// Relative to the root of the package.
    let file: String
    /// Counted from 0.
    let line: Int
    let code: String
    let replacement: String?
  }

  /// A hash (FNV-1a) of the names of `guards` and of what is undone, whatever their order.
  static func digest(of guards: [Guard]) -> String {
    let text = guards.map { "\($0.name) \($0.summary)\n" }.sorted().joined()
    let hash = text.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return String(hash, radix: 16)
  }

  /// What is undone.
  private var summary: String {
    edits.map { edit in
      edit.replacement.map { "\(edit.code) → \($0)" } ?? edit.code
    }.joined(separator: " … ")
  }
}

extension Guard {
  static let mark = "// guard: "

  /// Every guard of the catalog in `package`, system by system, in the order of the files.
  static func all(in package: URL) throws -> [Guard] {
    let catalog = package.appending(path: "Sources/Catalog")
    let systems = try FileManager.default.contentsOfDirectory(atPath: catalog.path).sorted()
    return try systems.flatMap { system in
      let folder = catalog.appending(path: system)
      guard (try? folder.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true else {
        return [Guard]()
      }
      return try guards(of: system, in: folder)
    }
  }

  private static func guards(of system: String, in folder: URL) throws -> [Guard] {
    var found: [Guard] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let path = "Sources/Catalog/\(system)/\(file)"
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for (number, line) in lines.enumerated() {
        let above = number > 0 ? lines[number - 1].trimmingCharacters(in: .whitespaces) : ""
        guard let (name, edit) = edit(line, number, path, below: above) else { continue }
        if let known = found.firstIndex(where: { $0.name == name }) {
          found[known].edits.append(edit)
        } else {
          found.append(Guard(system: system, name: name, edits: [edit]))
        }
      }
    }
    return found
  }

  private static let undone = "// undone: "

  private static func edit(
    _ line: String, _ number: Int, _ file: String, below above: String
  ) -> (String, Edit)? {
    guard let mark = line.range(of: mark) else { return nil }
    let comment = line[mark.upperBound...]
    let arrow = comment.range(of: " => ")
    let name = comment[..<(arrow?.lowerBound ?? comment.endIndex)].trimmingCharacters(in: .whitespaces)
    return (
      name,
      Edit(
        file: file, line: number, code: line[..<mark.lowerBound].trimmingCharacters(in: .whitespaces),
        replacement: arrow.map { String(comment[$0.upperBound...]) }
          ?? (above.hasPrefix(undone) ? String(above.dropFirst(undone.count)) : nil))
    )
  }
}
