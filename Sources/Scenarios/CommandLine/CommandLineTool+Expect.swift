import ScenarioFiles
import SimulatorFiles

extension CommandLineTool {
  /// `simrun expect`: what each variant shows of which a file does not say it yet; written there where that is asked for.
  func expect(_ options: ExpectOptions) throws -> ToolStatus {
    guard let files = load(options.files, mayLackExpectations: true) else { return .usage }
    let entries = files.flatMap { file in
      file.scenarios.map { RunRequest.Entry(file: file.name, scenario: $0) }
    }
    let chosen = try matching(options.filters, entries)
    let open = chosen.compactMap { $0.open(again: options.replaces) }
    let sources = files.filter { file in open.contains { $0.file == file.name } }
      .map { Recording.Source(file: $0.name, bytes: $0.bytes) }
    if options.writes {
      do throws(WriteFault) {
        for source in sources { try AtomicFile(source.file).check() }
      } catch { throw CommandLineFault.unwritable(error) }
    }
    let seen = try engine.outcomes(of: open.map(\.scenario), options.pool, on: terminal)
    let shown = zip(open, seen).map { ShownExpectations(file: $0.file, scenario: $0.scenario, seen: $1) }
    // Files first: standard output may be lost.
    let (written, isWritten) = options.writes ? write(shown, to: sources) : ([], true)
    for one in shown { try terminal.line(one.text(vocabulary)) }
    if open.count < chosen.count {
      try terminal.line("left as they are: \(said(chosen.count - open.count))")
    }
    for line in written { try terminal.line(line) }
    if !options.writes, shown.contains(where: { !$0.changes.isEmpty }) {
      let isBroken = shown.contains { $0.changes.contains { $0.outcome != .holds } }
      try terminal.line(
        "nothing was written; --write writes it"
          + (isBroken ? ". To see how it breaks, write \"holds\" in its place and run the file" : ""))
    }
    return isWritten && !shown.contains(where: \.isUnjudged) ? .asExpected : .failure
  }

  private func said(_ count: Int) -> String {
    "\(count.counted("scenario")), which \(count == 1 ? "says" : "say") it of every variant; --replace looks again"
  }

  /// Adds what was seen to each file, also where another one fails. Returns what to print about it, and whether all was
  /// written.
  private func write(
    _ shown: [ShownExpectations], to sources: [Recording.Source]
  ) -> (lines: [String], isWritten: Bool) {
    var lines: [String] = []
    var isWritten = true
    for source in sources {
      let own = shown.filter { $0.file == source.file && !$0.changes.isEmpty }
      if own.isEmpty { continue }
      do throws(ExpectationFault) {
        try write(own.map(\.addition), to: source)
      } catch {
        terminal.error("\(error)")
        isWritten = false
        continue
      }
      let count = own.reduce(0) { $0 + $1.changes.count }
      lines.append(
        "written to \(Echo.plain(source.file)): \(count.counted("expectation")); read them: they say what the code does, "
          + "not what it should do")
    }
    return (lines, isWritten)
  }

  /// The new text must be a scenario file before it takes the old one's place.
  private func write(
    _ additions: [ExpectationInsertion.Addition], to source: Recording.Source
  ) throws(ExpectationFault) {
    let text: [UInt8]
    do throws(RecordingFault) {
      text = try ExpectationInsertion.adding(additions, to: source)
    } catch { throw .notAdded(error) }
    do throws(Diagnostics) {
      _ = try ScenarioFile(text, named: source.file, in: vocabulary, mayLackExpectations: true)
    } catch { throw .contradicts(source.file, error) }
    do throws(WriteFault) {
      try AtomicFile(source.file).write(text, over: source.bytes)
    } catch { throw .notAdded(.unwritable(error)) }
  }
}

/// The reason why what was seen did not get into a file.
private enum ExpectationFault: Error, CustomStringConvertible {
  case notAdded(RecordingFault)
  /// With what was seen the file would be wrong.
  case contradicts(String, Diagnostics)

  var description: String {
    switch self {
    case .notAdded(let fault): "\(fault)"
    case .contradicts(let file, let diagnostics):
      "nothing was written to \(Echo.plain(file)), which says otherwise elsewhere; change that first:\n\(diagnostics)"
    }
  }
}

extension RunRequest.Entry {
  /// The same with those variants only of which the file does not say it yet, or with all; nil where there is none.
  fileprivate func open(again: Bool) -> RunRequest.Entry? {
    var scenario = scenario
    if !again { scenario.expectations.removeAll { !$0.isMissing } }
    return scenario.expectations.isEmpty ? nil : RunRequest.Entry(file: file, scenario: scenario)
  }
}
