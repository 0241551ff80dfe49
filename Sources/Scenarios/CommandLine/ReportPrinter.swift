/// Prints a report to standard output: text as the scenarios come, every other format whole at the end.
struct ReportPrinter {
  private let format: ReportFormat
  private let detail: RunText.Detail
  private let terminal: Terminal
  /// Whether the run goes on when standard output fails.
  private let survivesFault: Bool
  /// Why nothing more goes to standard output; nil as long as it works.
  private(set) var fault: OutputFault?

  init(_ format: ReportFormat, _ detail: RunText.Detail, on terminal: Terminal, survivesFault: Bool) {
    self.format = format
    self.detail = detail
    self.terminal = terminal
    self.survivesFault = survivesFault
  }

  mutating func begin(_ report: RunReport) throws(OutputFault) {
    guard isText else { return }
    try print { [detail] terminal throws(OutputFault) in
      for line in RunText.heading(report) { try terminal.line(line) }
      if detail == .brief { try terminal.line(RunText.hint + "\n") }
    }
  }

  mutating func add(_ scenario: ScenarioReport) throws(OutputFault) {
    guard isText else { return }
    try print { [detail] terminal throws(OutputFault) in
      switch detail {
      case .whole: try terminal.line("\n" + RunText.of(scenario, terminal.palette))
      case .brief: try terminal.line(RunText.brief(scenario, terminal.palette))
      }
    }
  }

  mutating func finish(_ report: RunReport) throws(OutputFault) {
    try print { [format, isText] terminal throws(OutputFault) in
      if isText {
        try terminal.line("\n" + RunText.summary(report))
      } else {
        try terminal.write(format.render(report))
      }
    }
  }

  private var isText: Bool { format == .text }

  private mutating func print(_ write: (Terminal) throws(OutputFault) -> Void) throws(OutputFault) {
    guard fault == nil else { return }
    do throws(OutputFault) {
      try write(terminal)
    } catch {
      guard survivesFault else { throw error }
      fault = error
    }
  }
}
