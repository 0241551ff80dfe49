import Foundation

/// Undoes each guard of the hardened variants, one a system at a time, in a copied tree, builds, runs the system's
/// scenarios, and tells which of them notices; with `--stories N`, whether `simrun fuzz` does in so many stories.
///
/// Systems do not know each other, so a build undoes one guard of every system at once.
@main struct GuardTable {
  static let usage =
    "usage: guard-table [--package FOLDER] [--markdown FILE] [--check FILE] [--system FOLDER] [--stories N]"

  static func main() throws {
    do {
      try Options(CommandLine.arguments.dropFirst()).perform()
    } catch let failure as Failure {
      FileHandle.standardError.write(Data("guard-table: \(failure)\n".utf8))
      exit(2)
    }
  }
}

private struct Options {
  private var package = URL(filePath: FileManager.default.currentDirectoryPath)
  private var markdown: String?
  private var check: String?
  private var system: String?
  private var stories: Int?

  init(_ arguments: some Sequence<String>) throws(Failure) {
    var rest = arguments.makeIterator()
    while let option = rest.next() {
      guard let value = rest.next() else {
        throw Failure(description: "\(option) needs a value; \(GuardTable.usage)")
      }
      switch option {
      case "--package": package = URL(filePath: value)
      case "--markdown": markdown = value
      case "--check": check = value
      case "--system": system = value
      case "--stories":
        guard let number = Int(value), number > 0 else {
          throw Failure(description: "--stories needs a positive number; \(GuardTable.usage)")
        }
        stories = number
      default: throw Failure(description: "unknown option \(option); \(GuardTable.usage)")
      }
    }
  }

  func perform() throws {
    let guards = try Guard.all(in: package).filter { system == nil || $0.system == system }
    let unexplained = try Unmarked.unexplained(in: package)
    guard unexplained.isEmpty else {
      throw Failure(
        description:
          "lines that are no guards, and nothing says why not: \(unexplained.joined(separator: ", ")); "
          + "mark them, or end the file with “\(Unmarked.word)…”")
    }
    if let check { return try compare(guards, with: check) }
    let copy = FileManager.default.temporaryDirectory.appending(path: "guard-table")
    var trial = Trial(
      guards: guards, scenarios: try Scenarios(of: package), tree: try Tree(of: package, at: copy),
      stories: stories)
    let rows = try trial.run { print($0.line) }
    if let markdown { try Table(rows: rows).text.write(toFile: markdown, atomically: true, encoding: .utf8) }
    let unnoticed = rows.filter(\.isUnnoticed).count
    print("\(rows.count) guards, \(unnoticed) that nothing notices")
    if unnoticed > 0 { exit(1) }
  }

  /// Whether the table in `file` is about these guards, as they are.
  private func compare(_ guards: [Guard], with file: String) throws {
    let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter {
      $0.hasPrefix("| ") && $0.contains("<!-- ")
    }
    let systems = Dictionary(grouping: guards, by: \.system)
    let changed = systems.keys.sorted().filter { system in
      !rows.contains { $0.hasPrefix("| \(system) |") && $0.hasSuffix(Table.end(of: systems[system] ?? [])) }
    }
    guard changed.isEmpty, system != nil || rows.count == systems.count else {
      throw Failure(
        description: "\(file) is stale (\(rows.count) of \(systems.count) systems; changed: "
          + "\(changed.joined(separator: ", ")))")
    }
    print("\(guards.count) guards, as in \(file)")
  }
}

/// A guard, undone.
struct Row {
  let undone: Guard
  let notice: Notice

  var isUnnoticed: Bool {
    if case .nobody = notice { return true }
    return false
  }

  var line: String { "\(undone.system): \(undone.name): \(notice.text)" }
}

/// The table as Markdown: a row for each system.
struct Table {
  let rows: [Row]

  /// The end of a row, which changes when a guard of the system does.
  static func end(of guards: [Guard]) -> String { " <!-- \(Guard.digest(of: guards)) --> |" }

  var text: String {
    let systems = Dictionary(grouping: rows, by: \.undone.system)
    let lines = systems.keys.sorted().map { system in
      let own = systems[system] ?? []
      let cell = own.map { "`\($0.undone.name)`: \($0.notice.text)" }.joined(separator: "<br>")
      return "| \(system) | \(cell)\(Self.end(of: own.map(\.undone)))"
    }
    return """
      # Who notices that a guard is gone

      Every guard of a hardened variant, undone in a copied tree: which scenario notices, by which invariant, and in which of
      its schedules. Written by `swift run -c release --package-path Benchmarks guard-table --markdown GUARDS.md`.

      | system | guard: noticed by |
      | --- | --- |
      \(lines.joined(separator: "\n"))

      """
  }
}
