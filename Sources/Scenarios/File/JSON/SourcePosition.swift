/// A place in a file, as editors count: both from one, the column in Unicode scalars.
struct SourcePosition: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  let line: Int
  let column: Int

  var description: String { "\(line):\(column)" }

  static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}
