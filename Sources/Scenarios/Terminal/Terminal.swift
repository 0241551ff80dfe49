internal import CProcesses
import Foundation
import ScenarioFiles
import Simulator

/// The output streams of the tool: results go to standard output, errors and rates to standard error.
struct Terminal {
  /// Writes text as it is to standard output.
  let write: (String) throws(OutputFault) -> Void
  /// Writes text as it is to standard error, where nothing can be said about a failure.
  let complain: (String) -> Void
  /// Whether these are the streams of this process.
  var isStandard = false
  /// The colors of standard output.
  var palette = Palette.plain
  /// How many characters a line of standard output has room for: those of a terminal, from 48 to 200; elsewhere 80.
  var width = TwoColumns.width

  /// The streams of this process.
  static var standard: Terminal {
    Terminal(
      write: { text throws(OutputFault) in
        do {
          try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
          throw OutputFault(error)
        }
      },
      complain: { text in
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
      },
      isStandard: true,
      palette: .suiting(
        isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment),
      width: widthOfStandardOutput)
  }

  private static var widthOfStandardOutput: Int {
    let columns = Int(cp_terminal_width(STDOUT_FILENO))
    return columns > 0 ? min(200, max(48, columns)) : TwoColumns.width
  }

  /// Writes a line to standard output; nothing in it can be taken for a command to a runner of workflows.
  func line(_ text: String) throws(OutputFault) {
    try write(WorkflowCommands.spoilt(text) + "\n")
  }

  /// Writes an error to standard error, as `simrun: …`.
  func error(_ text: String) {
    complaint("\(ToolIdentity.name): \(text)")
  }

  /// Writes lines to standard error; nothing in them moves a cursor, or can be taken for a command to a runner of workflows.
  func complaint(_ text: String) {
    complain(WorkflowCommands.spoilt(text.visibleLines) + "\n")
  }
}

/// The reason why nothing more can be written.
enum OutputFault: Error, Equatable, Sendable {
  /// The reader has closed its end, as in `simrun schema | head -1`. No message is written.
  case closed
  /// The disk is full, or worse.
  case failed(reason: String)

  init(_ error: any Error) {
    let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
    guard posix.domain == NSPOSIXErrorDomain else {
      self = .failed(reason: error.localizedDescription)
      return
    }
    let code = Int32(truncatingIfNeeded: posix.code)
    self = code == EPIPE ? .closed : .failed(reason: unsafe String(cString: strerror(code)))
  }
}
