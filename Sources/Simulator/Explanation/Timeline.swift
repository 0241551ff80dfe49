public import SimulatorCore

extension Explorer {
  /// A trace as text: virtual time at the left, and a column for each domain in which something worth showing happened.
  ///
  /// A line has at most `width` characters. If the domains do not fit side by side, each line names its domain instead.
  public struct Timeline: CustomStringConvertible, Sendable {
    /// One entry of the timeline.
    struct Row: Sendable {
      let time: VirtualInstant
      /// The domain; nil for an event from outside, whose text spans all columns.
      let domain: Int?
      var text: String
      /// True if the text continues over the columns to the right.
      var isWide = false
    }

    /// Returns `rows` with a repeating group at the end shown once, followed by the number of repetitions. Rows that
    /// differ only in time count as equal.
    static func folded(_ rows: [Row]) -> [Row] {
      let texts = rows.map { "\($0.domain ?? -1) \($0.text)" }
      guard let end = Repetition(atEndOf: texts, longest: 24, times: 4), let last = rows.last else {
        return rows
      }
      let lines = end.length == 1 ? "line" : "\(end.length) lines"
      let more = Row(
        time: last.time, domain: nil, text: "↻ the last \(lines) again, \((end.times - 1).grouped) times more"
      )
      return rows.dropLast(end.length * (end.times - 1)) + [more]
    }

    private let rows: [Row]
    private let domains: [(index: Int, name: String)]
    private let width: Int
    /// The width of the time column, including the spaces after it.
    private let timeWidth: Int
    private static let narrowest = 18

    /// Makes the timeline of `trace`. Steps are shown only if nothing else happened in the whole trace.
    public init(_ trace: Trace, width: Int = 80) {
      let told = trace.events.filter { $0.kind != .step }
      let shown = told.isEmpty ? trace.events : told
      self.init(
        shown.map {
          Row(time: $0.time, domain: trace.isFromOutside($0) ? nil : $0.domain, text: trace.text($0))
        },
        domains: trace.domains, width: width)
    }

    init(_ rows: [Row], domains: [Trace.Domain], width: Int) {
      self.rows = rows.map { row in
        var row = row
        row.text = row.text.visible
        return row
      }
      self.width = width
      timeWidth = max(4, rows.map(\.time.description.count).max() ?? 0) + 2
      let used = Set(rows.compactMap(\.domain))
      self.domains = domains.indices.filter(used.contains).map { ($0, domains[$0].description) }
    }

    /// One entry of a timeline, for other writers.
    package struct Entry: Hashable, Sendable {
      package let time: VirtualInstant
      /// The name of the domain; nil for an event from outside.
      package let domain: String?
      package let text: String

      package init(time: VirtualInstant, domain: String?, text: String) {
        self.time = time
        self.domain = domain
        self.text = text
      }
    }

    /// The rows, in order.
    package var entries: [Entry] {
      rows.map { row in
        let domain = domains.first { $0.index == row.domain }?.name
        return Entry(time: row.time, domain: domain, text: row.text)
      }
    }

    public var description: String {
      let needed = narrowest.reduce(0, +)
      return (domains.count < 2 || needed <= width - timeWidth ? columns(narrowest) : list())
        .joined(separator: "\n")
    }

    /// The minimum width of each column. It leaves identifiers and file names of up to half a line unbroken.
    private var narrowest: [Int] {
      domains.map { domain in
        let words = rows.lazy.filter { $0.domain == domain.index && !$0.isWide }
          .flatMap { $0.text.split(separator: " ").map(\.count) }
        return max(Self.narrowest, min(width / 2, (words.max() ?? 0) + 3))
      }
    }

    private func columns(_ narrowest: [Int]) -> [String] {
      let widths = columnWidths(narrowest)
      let rule = String(repeating: " ", count: timeWidth - 4) + "time"
      let header = rule + zip(domains, widths).map { Wrapping.cell("  " + $0.name, $1) }.joined()
      return [header.trimmedAtEnd]
        + spread { row in
          let index = domains.firstIndex { $0.index == row.domain } ?? 0
          return (String(repeating: " ", count: widths[..<index].reduce(0, +)), widths[index])
        }
    }

    /// Gives each column its minimum width, and distributes the rest among columns with long rows, in proportion.
    private func columnWidths(_ narrowest: [Int]) -> [Int] {
      let wanted = zip(domains, narrowest).map { domain, least in
        let longest = rows.lazy.filter { $0.domain == domain.index }.map(\.text.count).max() ?? 0
        return max(0, min(48, max(longest, domain.name.count) + 4) - least)
      }
      let spare = max(0, width - timeWidth - narrowest.reduce(0, +))
      let total = max(1, wanted.reduce(0, +))
      return zip(narrowest, wanted).map { $0 + min($1, spare * $1 / total) }
    }

    private func list() -> [String] {
      let names = min(24, domains.map(\.name.count).max() ?? 0)
      return spread { row in
        let name = domains.first { $0.index == row.domain }?.name ?? ""
        return ("  " + Wrapping.cell(name, names), width - timeWidth - names - 2)
      }
    }

    /// Places each row after its time. The time is written only when it has changed.
    private func spread(_ place: (Row) -> (prefix: String, width: Int)) -> [String] {
      var last: VirtualInstant?
      return rows.flatMap { row in
        let (prefix, narrow) = row.domain == nil ? ("", width - timeWidth) : place(row)
        let column = row.isWide ? width - timeWidth - prefix.count : narrow
        let time = row.time == last ? "" : row.time.description
        last = row.time
        return Wrapping.lines(row.text, width: column - 2).enumerated().map { index, part in
          let left = index == 0 ? time : ""
          let pad = String(repeating: " ", count: max(0, timeWidth - left.count))
          let lead = index == 0 ? prefix : String(repeating: " ", count: prefix.count)
          return (pad + left + lead + "  " + part).trimmedAtEnd
        }
      }
    }
  }
}
