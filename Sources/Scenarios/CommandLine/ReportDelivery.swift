extension RunReport {
  /// Prints a report that is complete, writes it to its files, and says how the tool ends: with a failure if there are
  /// `faults`.
  func deliver(
    to outputs: Outputs, faults: [String] = [], on terminal: Terminal
  ) throws -> ToolStatus {
    let detail = outputs.detail(scenarios.map { ($0.file, $0.system) })
    var printer = ReportPrinter(
      outputs.format, detail, on: terminal, survivesFault: !outputs.files.isEmpty)
    try printer.begin(self)
    for scenario in scenarios { try printer.add(scenario) }
    try printer.finish(self)
    let faults = faults + outputs.write(self)
    faults.forEach(terminal.error)
    if let fault = printer.fault { throw fault }
    return faults.isEmpty ? ToolStatus(of: self) : .failure
  }
}

extension ToolStatus {
  /// The status of a run of which everything could be reported.
  init(of report: RunReport) {
    if case .signal(let signal) = report.ending.reason {
      self = Interruption(signal: signal).status
    } else if report.isAsExpected {
      self = .asExpected
    } else {
      self = report.lacksOnlyJudgment ? .failure : .notAsExpected
    }
  }
}
