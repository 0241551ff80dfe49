internal import CProcesses
import Foundation
import Simulator

/// A worker that takes no orders, and of which others are copied: it has tested the runtime and knows the executable's
/// debug information, once for all of them.
///
/// All copies are of the same process, which does nothing else; so they begin alike.
final class ForkServer {
  private let process: WorkerProcess
  /// What was set before about processes whose parents have ended.
  private let adoptedBefore: Int32

  /// Starts it; nil where there can be none, and workers are started one by one.
  init?() {
    guard !cp_is_instrumented() else { return nil }
    adoptedBefore = cp_adopts_orphans(1)
    guard adoptedBefore >= 0, let process = try? WorkerProcess(as: .server) else {
      if adoptedBefore >= 0 { _ = cp_adopts_orphans(adoptedBefore) }
      return nil
    }
    self.process = process
  }

  deinit {
    _ = process.kill()
    _ = cp_adopts_orphans(adoptedBefore)
  }

  /// A worker that has done nothing yet.
  func copy(_ recorder: Int32) -> cp_worker { cp_spawn_copy(process.socket, recorder) }

  /// In the server: makes copies for `parent`. Returns in each of them.
  static func serve(_ parent: Int32, _ recorder: FlightRecorder) {
    _ = RuntimeControl.fault
    Symbols.prepare()
    recorder.serveCopies(to: parent)
  }
}
