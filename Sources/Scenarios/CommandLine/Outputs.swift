import SimulatorFiles

/// A report that is to be written to a file.
struct OutputFile: Equatable, Sendable {
  let format: ReportFormat
  /// As it was named on the command line.
  let path: String
}

/// The reports that a run is to give.
struct Outputs: Equatable, Sendable {
  /// What standard output gets.
  var format = ReportFormat.text
  var files: [OutputFile] = []
  /// Whether they show wall-clock times.
  var hasTimings = false
  /// Whether standard output tells all of every scenario, where it is text.
  var isVerbose = false

  /// How much standard output tells of each of these.
  func detail(_ scenarios: [(file: String, system: String)]) -> RunText.Detail {
    .of(scenarios, madeUpIn: CommandLineTool.madeUp, isVerbose: isVerbose)
  }

  /// Whether some report explains every violation, those included that the file knows.
  var explainsAll: Bool { ([format] + files.map(\.format)).contains(where: \.explainsAll) }

  /// Writes every file, also when another one fails; returns what went wrong, a sentence each.
  func write(_ report: RunReport) -> [String] {
    files.compactMap { file in
      do throws(WriteFault) {
        let text = Array(file.format.render(report).utf8)
        let place = AtomicFile(file.path)
        try file.format.isAdded ? place.add(text) : place.write(text)
        return nil
      } catch {
        return "the \(file.format.name) report is lost: \(error)"
      }
    }
  }
}
