/// A trace as text: virtual time at the left, a column for each domain in which something worth telling happened.
///
/// At most `width` characters a line. With more domains than fit side by side, each line names its domain instead.
public struct Timeline: CustomStringConvertible, Sendable {
  private struct Row {
    let time: VirtualInstant
    let domain: Int
    let text: String
  }

  private let rows: [Row]
  private let domains: [(index: Int, name: String)]
  private let width: Int

  /// The timeline of `trace`. Steps are shown only where nothing else happened in the whole trace.
  public init(_ trace: Trace, width: Int = 80) {
    self.width = width
    let told = trace.events.filter { $0.kind != .step }
    let shown = told.isEmpty ? trace.events : told
    rows = shown.map { Row(time: $0.time, domain: $0.domain, text: trace.text($0)) }
    let used = Set(rows.map(\.domain))
    domains = trace.domains.indices.filter(used.contains).map { ($0, trace.domains[$0].description) }
  }

  public var description: String {
    let lines = domains.count <= max(1, (width - timeWidth) / 22) ? columns() : list()
    return lines.joined(separator: "\n")
  }

  private var timeWidth: Int { max(4, rows.map(\.time.description.count).max() ?? 0) + 2 }

  private func columns() -> [String] {
    let column = (width - timeWidth) / max(1, domains.count)
    let rule = String(repeating: " ", count: timeWidth - 4) + "time"
    let header = rule + domains.map { cell("  " + $0.name, column) }.joined()
    return [header.trimmedAtEnd]
      + spread { row in
        let index = domains.firstIndex { $0.index == row.domain } ?? 0
        return (String(repeating: " ", count: column * index), column)
      }
  }

  private func list() -> [String] {
    let names = min(24, domains.map(\.name.count).max() ?? 0)
    return spread { row in
      let name = domains.first { $0.index == row.domain }?.name ?? "?"
      return ("  " + cell(name, names), width - timeWidth - names - 2)
    }
  }

  /// Each row behind its time; the time is written only when it has changed.
  private func spread(_ place: (Row) -> (prefix: String, width: Int)) -> [String] {
    var last: VirtualInstant?
    return rows.flatMap { row in
      let (prefix, column) = place(row)
      let time = row.time == last ? "" : row.time.description
      last = row.time
      return wrapped(row.text, column - 2).enumerated().map { index, part in
        let left = index == 0 ? time : ""
        let pad = String(repeating: " ", count: max(0, timeWidth - left.count))
        let lead = index == 0 ? prefix : String(repeating: " ", count: prefix.count)
        return (pad + left + lead + "  " + part).trimmedAtEnd
      }
    }
  }

  private func cell(_ text: String, _ width: Int) -> String {
    let cut = text.count > width ? text.prefix(width - 1) + "…" : Substring(text)
    return cut + String(repeating: " ", count: width - cut.count)
  }

  /// Breaks at blanks, and inside a word that is longer than a line.
  private func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      var rest = word
      if !line.isEmpty, line.count + 1 + rest.count > width {
        lines.append(line)
        line = " "
      }
      while rest.count > width - line.count - 1, rest.count > width - 2 {
        let room = max(1, width - line.count - (line.isEmpty ? 0 : 1))
        lines.append(line + (line.isEmpty || line == " " ? "" : " ") + rest.prefix(room))
        rest = rest.dropFirst(room)
        line = " "
      }
      line += (line.isEmpty || line == " " ? "" : " ") + rest
    }
    return lines + [line]
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
