internal import Simulator

/// The contents of a page for a browser: the subjects of a run, which are scenarios or tests, and the findings of each.
///
/// ``html`` is the complete page: one file that needs no network and no other file.
package struct Page: Sendable {
  /// The verdict on a variant at a glance. A page, a terminal and a summary use the same sign.
  package enum Mark: String, Codable, CaseIterable, Sendable {
    /// The result is not as expected.
    case unexpected
    /// The result is as expected so far, but a statement in the scenario's file is no longer true.
    case outdated
    /// It breaks, as expected.
    case known
    /// Nothing is violated.
    case holds
    /// It was not judged, or not to the end.
    case open

    package var sign: String {
      switch self {
      case .unexpected: "✗"
      case .outdated: "!"
      case .known: "⊗"
      case .holds: "✓"
      case .open: "–"
      }
    }

    var words: String {
      switch self {
      case .unexpected: "not as expected"
      case .outdated: "outdated"
      case .known: "breaks, as expected"
      case .holds: "holds"
      case .open: "not judged"
      }
    }
  }

  /// A scenario or a test.
  package struct Subject: Codable, Sendable {
    package var name: String
    package var about: String
    /// The place of its source, and the kind of search.
    package var place: String
    package var notes: [String] = []
    package var variants: [Variant]

    package init(name: String, about: String, place: String, notes: [String] = [], variants: [Variant]) {
      self.name = name
      self.about = about
      self.place = place
      self.notes = notes
      self.variants = variants
    }
  }

  /// A part of a subject that has its own search.
  package struct Variant: Codable, Sendable {
    package var name: String
    package var mark: Mark
    package var verdict: String
    package var notes: [String] = []
    package var findings: [ViolationReport]
    /// The schedule that was replayed, a line for each deviation; empty for a search.
    var schedule: [String] = []
    /// An execution that violates nothing.
    var execution: Execution?
    /// The growth of the number of behaviors; nil if that is not shown.
    package var growth: Growth?

    package init(name: String, mark: Mark, verdict: String, notes: [String] = [], findings: [ViolationReport])
    {
      self.name = name
      self.mark = mark
      self.verdict = verdict
      self.notes = notes
      self.findings = findings
    }
  }

  /// An execution that was replayed and violates nothing.
  struct Execution: Codable, Sendable {
    var headline: String
    var chart: Explorer.Chart
    var replay: String
  }

  /// The growth of the number of behaviors with the number of schedules.
  package struct Growth: Codable, Sendable {
    struct Point: Codable, Sendable {
      let schedules: Int
      let behaviors: Int
    }

    /// The number of behaviors known after a number of schedules, in ascending order.
    let points: [Point]

    /// Makes the points for `known` behaviors after 1, 2, 4, 8, … schedules, and for `behaviors` at the end.
    package init(_ known: [Int], _ behaviors: Int, after schedules: Int) {
      let powers = known.enumerated().map { Point(schedules: 1 << $0, behaviors: $1) }
      points =
        powers.filter { $0.schedules < schedules } + [Point(schedules: schedules, behaviors: behaviors)]
    }
  }

  package var title: String
  /// The conditions of the run and its results, one line each, with the verdict first.
  package var lines: [String]
  package var isAsExpected: Bool
  package var subjects: [Subject]
  /// JSON that a browser doesn't show, for the next process that writes this page; see ``attachmentBrackets``.
  package var attachment: String?

  package init(title: String, lines: [String], isAsExpected: Bool, subjects: [Subject]) {
    self.title = title
    self.lines = lines
    self.isAsExpected = isAsExpected
    self.subjects = subjects
  }

  /// The page as well-formed HTML. The same page gives the same bytes.
  package var html: String {
    var writer = PageWriter()
    writer.write(self)
    return writer.text
  }
  /// The text before ``attachment`` in ``html``, and the text after it.
  package static let attachmentBrackets = (
    start: "<script type=\"application/json\" id=\"attachment\">", end: "</script>"
  )
}
