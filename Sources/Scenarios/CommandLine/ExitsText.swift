internal import Simulator

/// What `simrun exits` prints: the calls by which a program leaves a simulation, as a list in Markdown.
enum ExitsText {
  static var text: String {
    lines(of: .escapes, headed: "These calls escape:") + "\n"
      + lines(of: .refused, headed: "These are refused, in the same way:") + "\n"
      + lines(of: .controlled, headed: "These do not:")
  }

  private static func lines(of fate: Exits.Fate, headed heading: String) -> String {
    var groups: [(key: [String], rows: [Exits.Row])] = []
    for row in Exits.rows where row.fate == fate {
      let key = [row.effect, row.remedy]
      if let index = groups.firstIndex(where: { $0.key == key }) {
        groups[index].rows.append(row)
      } else {
        groups.append((key, [row]))
      }
    }
    return heading + "\n\n" + groups.map { line($0.rows) }.joined()
  }

  /// One item for all calls that share what becomes of them and what to do.
  private static func line(_ rows: [Exits.Row]) -> String {
    let calls = rows.map { $0.ways == "C" ? "`\($0.name)`" : "`\($0.name)` (\($0.ways))" }
    let remedy = rows[0].fate != .controlled ? "; \(rows[0].remedy)" : ""
    return "- \(calls.joined(separator: ", ")): \(rows[0].effect)\(remedy).\n"
  }
}
