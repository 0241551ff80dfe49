/// The lines of code that differ between two sources, however they are indented.
package struct SourceDiff {
  /// A line of either source, or of both.
  private struct Row {
    let sign: Character
    let old: Int?
    let new: Int?
    let line: SourceCode.Line
  }

  /// Where a reader finds them.
  let paths: (old: String, new: String)
  private let rows: [Row]

  package init(from old: SourceCode, to new: SourceCode, paths: (old: String, new: String)) {
    self.paths = paths
    rows = Self.rows(old.lines, new.lines)
  }

  /// How many lines differ.
  package var changes: Int { rows.count { $0.sign != " " } }

  /// A unified diff without context: the lines that differ, and above them where they stand. Up to two lines between them are
  /// shown, too.
  package var text: [String] {
    ["--- \(paths.old)", "+++ \(paths.new)"]
      + hunks.flatMap { hunk in
        [header(hunk)] + rows[hunk].map { String($0.sign) + $0.line.text }
      }
  }

  /// The rows that belong together.
  private var hunks: [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in rows.indices where rows[index].sign != " " {
      if let last = hunks.last, last.upperBound + 2 >= index {
        hunks[hunks.count - 1] = last.lowerBound..<index + 1
      } else {
        hunks.append(index..<index + 1)
      }
    }
    return hunks
  }

  private func header(_ hunk: Range<Int>) -> String {
    let oldLine = rows[hunk].lazy.compactMap(\.old).first
    let newLine = rows[hunk].lazy.compactMap(\.new).first
    let places = [oldLine.map { "-\($0)" }, newLine.map { "+\($0)" }].compactMap(\.self)
    return "@@ \(places.joined(separator: " ")) @@" + (enclosing(hunk).map { " " + $0 } ?? "")
  }

  /// The declaration in which the rows stand, in the newer source.
  private func enclosing(_ hunk: Range<Int>) -> String? {
    let first = rows[hunk.lowerBound].line
    return rows[..<hunk.lowerBound].last { row in
      row.new != nil && row.line.indentation < first.indentation
        && ["func ", "init(", "class ", "actor ", "struct "].contains { row.line.key.contains($0) }
    }?.line.key
  }

  private static func rows(_ old: [SourceCode.Line], _ new: [SourceCode.Line]) -> [Row] {
    let difference = new.map(\.key).difference(from: old.map(\.key))
    let gone = Set(difference.removals.map(\.place))
    let come = Set(difference.insertions.map(\.place))
    var rows: [Row] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if left < old.count, gone.contains(left) {
        rows.append(Row(sign: "-", old: old[left].number, new: nil, line: old[left]))
        left += 1
      } else if right < new.count, come.contains(right) {
        rows.append(Row(sign: "+", old: nil, new: new[right].number, line: new[right]))
        right += 1
      } else {
        rows.append(Row(sign: " ", old: old[left].number, new: new[right].number, line: new[right]))
        left += 1
        right += 1
      }
    }
    return rows
  }
}

extension CollectionDifference.Change {
  /// Where it is removed or inserted.
  fileprivate var place: Int {
    switch self {
    case .remove(let offset, _, _), .insert(let offset, _, _): offset
    }
  }
}
