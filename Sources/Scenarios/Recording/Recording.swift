import ScenarioFiles
import SimulatorFiles

/// Adds newly found schedules to the scenario files in which their scenarios stand.
struct Recording: Equatable, Sendable {
  /// A file and what was read from it.
  struct Source: Equatable, Sendable {
    let file: String
    let bytes: [UInt8]
  }

  /// The files of the run.
  let sources: [Source]

  /// Throws now what writing would throw later.
  func check() throws(WriteFault) {
    for source in sources { try AtomicFile(source.file).check() }
  }

  /// Adds the schedules that `report` has found, file by file, also when one file cannot be written.
  func perform(_ report: RunReport) -> (recorded: [RecordedSchedule], faults: [RecordingFault]) {
    let found = report.newlyFound
    var recorded: [RecordedSchedule] = []
    var faults: [RecordingFault] = []
    for source in sources {
      let own = found.filter { $0.file == source.file }
      guard !own.isEmpty else { continue }
      do throws(RecordingFault) {
        try write(own, to: source)
        recorded += own
      } catch {
        faults.append(error)
      }
    }
    return (recorded, faults)
  }

  private func write(_ additions: [RecordedSchedule], to source: Source) throws(RecordingFault) {
    let text = try ReplayInsertion.adding(additions, to: source)
    do throws(WriteFault) {
      try AtomicFile(source.file).write(text, over: source.bytes)
    } catch {
      throw .unwritable(error)
    }
  }
}

/// The reason why a schedule could not be added to its file.
enum RecordingFault: Error, Equatable, Sendable, CustomStringConvertible {
  case unwritable(WriteFault)
  /// The text is not what was checked.
  case lostScenario(String, file: String)

  var description: String {
    switch self {
    case .unwritable(let fault): "nothing was recorded: \(fault)"
    case .lostScenario(let name, let file):
      "nothing was recorded: \(Echo.plain(file)) has no scenario \(Echo.quoted(name)) to add to"
    }
  }
}

extension Recording {
  /// Of those of `files` whose names are in `played`.
  init(of files: [ScenarioFile], played: Set<String>) {
    sources = files.filter { played.contains($0.name) }.map { Source(file: $0.name, bytes: $0.bytes) }
  }
}
