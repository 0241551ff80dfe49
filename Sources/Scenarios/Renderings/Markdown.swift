/// Pieces of Markdown.
enum Markdown {
  /// A table, after an empty line; nothing if it has no rows.
  static func table(_ titles: [String], _ rows: [[String]]) -> [String] {
    guard !rows.isEmpty else { return [] }
    return ["", row(titles), row(titles.map { _ in "---" })] + rows.map(row)
  }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ")
      + " |"
  }

  /// Lines as they are, within a fence that none of them ends.
  static func block(_ language: String, _ lines: [String]) -> [String] {
    let fence = lines.contains { $0.contains("```") } ? "`````" : "```"
    return [fence + language] + lines + [fence]
  }

  /// A link to a folder or a file.
  static func link(_ text: String, _ path: String) -> String {
    "[\(text)](\(path.contains { " ()".contains($0) } ? "<\(path)>" : path))"
  }
}
