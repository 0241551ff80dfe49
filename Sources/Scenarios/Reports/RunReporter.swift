import Simulator

/// Takes the results of a run in the order of the files, and tells them wherever they are wanted.
///
/// Text is told as it comes, everything else at the end. When standard output fails and there are files to write, the
/// run goes on for them.
struct RunReporter {
  private let request: RunRequest
  private let terminal: Terminal
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private(set) var report: RunReport
  /// Why nothing more goes to standard output.
  private var outputFault: OutputFault?

  /// Begins to tell.
  init(_ request: RunRequest, on terminal: Terminal) throws(OutputFault) {
    self.request = request
    self.terminal = terminal
    start = clock.now
    report = RunReport(
      build: .current, seeds: Set(request.entries.map(\.scenario.search.seed)).sorted(),
      isStrict: request.isStrict, hasTimings: request.outputs.hasTimings)
    if isText { try show(RunText.heading(report)) }
  }

  /// Tells what became of one scenario, which stands in `file`.
  mutating func add(_ result: ScenarioResult, file: String) throws(OutputFault) {
    let scenario = ScenarioReport(
      result, file: file, isStrict: request.isStrict, tellsAll: request.outputs.tellAll)
    report.scenarios.append(scenario)
    if isText { try show("\n" + RunText.of(scenario, terminal.palette)) }
  }

  /// Records what is to be recorded, tells the rest and writes the files. Every file is tried, whatever becomes of the
  /// others.
  mutating func finish(
    _ played: WorkerPool.Summary = WorkerPool.Summary()
  ) throws(OutputFault) -> ToolStatus {
    report.played = played
    report.duration = clock.now - start
    let recording = request.recording?.perform(report)
    report.recorded = recording?.recorded ?? []
    var faults = recording?.faults.map(\.description) ?? []
    let rest = isText ? "\n" + RunText.summary(report) : request.outputs.format.whole(report)
    try show(rest, isLine: isText)
    for file in request.outputs.files {
      do throws(WriteFault) {
        try AtomicFile(file.path).write(Array(file.format.whole(report).utf8))
      } catch {
        faults.append("the \(file.format.rawValue) report is lost: \(error)")
      }
    }
    faults.forEach(terminal.error)
    if report.hasTimings { terminal.complain(RunText.pace(report)) }
    if let outputFault { throw outputFault }
    guard faults.isEmpty else { return .failure }
    if case .signal(let signal) = played.ending { return Interruption(signal: signal).status }
    return report.isAsExpected ? .asExpected : .notAsExpected
  }

  private var isText: Bool { request.outputs.format == .text }

  /// Whether something is left to do when standard output has failed.
  private var goesOn: Bool { !request.outputs.files.isEmpty || request.recording != nil }

  private mutating func show(_ text: String, isLine: Bool = true) throws(OutputFault) {
    guard outputFault == nil else { return }
    do throws(OutputFault) {
      if isLine { try terminal.line(text) } else { try terminal.write(text) }
    } catch {
      guard goesOn else { throw error }
      outputFault = error
    }
  }
}

extension OutputFormat {
  /// The whole report in this format, its last line closed; never coloured.
  func whole(_ report: RunReport) -> String {
    switch self {
    case .text: WorkflowCommands.spoilt(RunText.whole(report))
    case .json: ReportJSON.tree(report).text + "\n"
    case .junit: JUnitText.of(report)
    case .github: GitHubText.of(report)
    }
  }
}
