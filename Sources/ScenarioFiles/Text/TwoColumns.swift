import Simulator

/// Names at the left, sentences at the right, in 80 columns.
package struct TwoColumns {
  let rows: [(name: String, summary: String)]

  package init(rows: [(String, String)]) {
    self.rows = rows
  }

  package static let width = 80

  /// A line or more for each row. A name too long for its column has a line of its own.
  package var text: String {
    let column = min(26, (rows.map { $0.name.count }.max() ?? 0) + 4)
    return rows.map { row in
      let lines = Self.wrapped(row.summary, width: Self.width - column)
      let indented = lines.map { String(repeating: " ", count: column) + $0 }
      let name = "  " + row.name
      guard name.count + 2 <= column, let first = indented.first else {
        return ([name] + indented).joined(separator: "\n") + "\n"
      }
      return ([name + first.dropFirst(name.count)] + indented.dropFirst()).joined(separator: "\n") + "\n"
    }.joined()
  }

  /// The words of a text in lines that fit. What could move a cursor or begin a line is made visible.
  package static func wrapped(_ text: String, width: Int = width) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: { $0 == " " || $0.isNewline }).map(\.visible) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}
