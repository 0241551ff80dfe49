import Foundation

/// The exit status of the tool.
enum ToolStatus: Int32, Sendable {
  /// Everything as expected.
  case asExpected = 0
  /// Something not as expected.
  case notAsExpected = 1
  /// The command line or a file is wrong; nothing was run.
  case usage = 2
  /// Something could not be judged, because its processes were ended by something that no schedule shows again; or the
  /// simulator itself failed.
  case failure = 3
  /// What a shell reports of a program that SIGHUP ended.
  case hungUp = 129
  /// Ctrl-C; what a shell reports of a program that SIGINT ended.
  case interrupted = 130
  /// What a shell reports of a program that SIGTERM ended.
  case terminated = 143
  /// The reader of the output has closed its pipe; this is what a shell reports of a program that this ended.
  case closedPipe = 141
}

/// A signal that ended what was under way.
struct Interruption: Error {
  let signal: Int32

  var status: ToolStatus {
    switch signal {
    case SIGINT: .interrupted
    case SIGHUP: .hungUp
    default: .terminated
    }
  }
}
