internal import CProcesses
internal import Foundation

/// Makes fresh processes: children of a process that has not run the program, in each of which every global is as it
/// was when the process began.
///
/// A process with more than one thread is not forked: a lock that another thread holds is never let go in the copy.
final class FreshProcesses: ChildProcesses {
  private let recorder: FlightRecorder
  private var limits: Explorer.ProcessLimits
  private let output: ChildOutput

  /// Children whose executions `recorder`, which they share, shows; nil where there is no memory to share.
  init?(_ recorder: FlightRecorder, limits: Explorer.ProcessLimits) {
    guard recorder.isShared, let output = ChildOutput() else { return nil }
    self.recorder = recorder
    self.limits = limits
    self.output = output
  }

  /// Whether this process waits for a child.
  var isWatching: Bool {
    get { recorder.watches }
    set { recorder.watches = newValue }
  }

  /// Why this process cannot be forked now; nil if it can.
  static var refusal: String? { threadsThatMayHoldLocks() == 1 ? nil : "this process has other threads" }

  func run(_ work: () -> Data) -> ChildEnd {
    let end = runUnread(work)
    guard case .answered = end else { return end }
    return lastAnswer.map { .answered($0) } ?? .lost
  }

  /// What the last child that answered has left behind; nil where that cannot be read.
  var lastAnswer: Data? { output.answer }

  /// The same without reading the answer, which stays where it is until the next child.
  func runUnread(_ work: () -> Data) -> ChildEnd {
    let executions = recorder.executions
    let watched = recorder.watches
    defer {
      recorder.executions = executions
      recorder.watches = watched
      unsafe recorder.page.pointee.phase = UInt32(CP_IDLE)
    }
    output.clear()
    recorder.watches = true
    let child = cp_fork(output.errors)
    if child.pid == 0 { cp_leave(output.leave(work()) ? 0 : 1) }
    guard child.pid > 0 else { return .lost }
    let end = unsafe cp_watch(child, recorder.page, limits.stall.wholeNanoseconds, limits.memory)
    if end.reason == CP_ENDED, end.signal == 0, end.status == 0, output.hasAnswer { return .answered(Data()) }
    guard recorder.isExecuting else { return .lost }
    let death = Death(end, limits, in: recorder, errors: capturedText(output.errors))
    if death.isCostly { limits = limits.shortened }
    return .died(death)
  }
}

extension Explorer.ProcessLimits {
  /// What is enough when the limits have been reached once: to wait for the full time, or to fill all that may be
  /// filled, is done once.
  var shortened: Self {
    var short = self
    short.stall = min(stall, max(.milliseconds(100), stall / 10))
    short.memory = min(memory, cp_memory(cp_self()) + max(64 << 20, memory / 8))
    return short
  }
}

extension Death {
  /// How a child that was watched came to its end.
  init(_ end: cp_end, _ limits: Explorer.ProcessLimits, in recorder: FlightRecorder, errors: String) {
    let cause: Cause =
      switch end.reason {
      case CP_STALLED: .stalled(limits.stall)
      case CP_TOO_LARGE: .tooLarge(limits.memory)
      default: end.signal != 0 ? .signal(end.signal) : .exit(end.status)
      }
    self.init(cause, in: recorder, errors: errors)
  }
}

/// What children have written to their standard error.
func capturedText(_ capture: Int32) -> String {
  var bytes = [CChar](repeating: 0, count: 16_384)
  let count = unsafe cp_capture_read(capture, &bytes, bytes.count)
  return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
