/// Prints a report to standard output: text as the scenarios come, every other format whole at the end.
struct ReportPrinter {
  private let format: ReportFormat
  private let terminal: Terminal
  /// Whether the run goes on when standard output fails.
  private let survivesFault: Bool
  /// Why nothing more goes to standard output; nil as long as it works.
  private(set) var fault: OutputFault?

  init(_ format: ReportFormat, on terminal: Terminal, survivesFault: Bool) {
    self.format = format
    self.terminal = terminal
    self.survivesFault = survivesFault
  }

  mutating func begin(_ report: RunReport) throws(OutputFault) {
    if isText { try print { terminal throws(OutputFault) in try terminal.line(RunText.heading(report)) } }
  }

  mutating func add(_ scenario: ScenarioReport) throws(OutputFault) {
    guard isText else { return }
    try print { terminal throws(OutputFault) in
      try terminal.line("\n" + RunText.of(scenario, terminal.palette))
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
