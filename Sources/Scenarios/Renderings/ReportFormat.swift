/// A way to render a report.
///
/// To add one, declare it in a file of this folder and list it in ``all``: the command line, its help and the
/// tests of hostile text follow from that list.
struct ReportFormat: Sendable {
  /// The name that `--format` and `--output` take.
  let name: String
  /// What the help adds to the name.
  var remark: String?
  /// Whether it shows how every violation came about, those included that the file knows: finding their
  /// source lines takes time.
  var explainsAll = false
  /// Whether a file keeps what is in it, and gets the report behind it.
  var isAdded = false
  /// Renders a whole report, its last line closed, never with colors.
  let render: @Sendable (RunReport) -> String

  /// All formats; standard output gets the first unless the command line says otherwise.
  static let all: [ReportFormat] = [.text, .json, .junit, .github, .html, .sarif, .summary]

  static func named(_ name: String) -> ReportFormat? { all.first { $0.name == name } }
}

extension ReportFormat: Equatable, CustomStringConvertible {
  static func == (a: ReportFormat, b: ReportFormat) -> Bool { a.name == b.name }

  var description: String { name }
}
