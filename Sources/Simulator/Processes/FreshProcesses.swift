internal import CConcurrencyHooks
internal import CProcesses
internal import Foundation
internal import SimulatorCore
internal import SimulatorKernel

/// Makes fresh processes: children of a process that has not run the program. In each of them every global is as it was
/// when the process began.
///
/// A process with more than one thread is not forked: a lock that another thread holds is never released in the copy.
final class FreshProcesses: ChildProcesses {
  private let recorder: FlightRecorder
  private let limits: Explorer.ProcessLimits
  private let output: ChildOutput
  /// The reason why a child could not be started, for the last one that failed; nil if none did.
  private(set) var fault: String?

  /// Creates fresh processes whose executions show in `recorder`, which they share; nil if there is no memory to share.
  init?(_ recorder: FlightRecorder, limits: Explorer.ProcessLimits) {
    guard recorder.isShared, let output = ChildOutput() else { return nil }
    self.recorder = recorder
    self.limits = limits
    self.output = output
    ch_keep_descriptor(output.errors)
  }

  /// True if this process waits for a child.
  var isWatching: Bool {
    get { recorder.watches }
    set { recorder.watches = newValue }
  }

  /// The reason why this process cannot be forked now; nil if it can.
  static var refusal: String? {
    if threadsThatMayHoldLocks() == 1 { return nil }
    return threadsAreKnown ? "this process has other threads" : unknownThreads
  }

  static let unknownThreads = "/proc cannot be read (mount it)"

  /// Starts a child that exits at once. Returns why that fails; nil if it works.
  static func trial() -> String? {
    let child = cp_fork(-1)
    if child.pid == 0 { cp_leave(0) }
    guard child.pid > 0 else { return noChild(errno) }
    cp_end_child(child)
    return nil
  }

  private static func noChild(_ code: Int32) -> String {
    let cure = code == EAGAIN ? " (raise the limit of processes: ulimit -u, or that of the container)" : ""
    return unsafe "no child process could be started: \(String(cString: strerror(code)))\(cure)"
  }

  func run(isThorough: Bool, _ work: () -> Data) -> ChildEnd {
    var end = runUnread(work)
    if isThorough, case .died(let death) = end, !limits.makeSure(of: death) {
      end = runUnread(isThorough: true, work)
    }
    guard case .answered = end else { return end }
    return lastAnswer.map { .answered($0) } ?? .lost
  }

  /// The answer of the last child that left one; nil if it cannot be read.
  var lastAnswer: Data? { output.answer }

  /// Runs `work` in a child without reading the answer, which stays where it is until the next child.
  func runUnread(isThorough: Bool = false, _ work: () -> Data) -> ChildEnd {
    let executions = recorder.executions
    let watched = recorder.watches
    defer {
      recorder.executions = executions
      recorder.watches = watched
      unsafe recorder.page.pointee.phase = UInt32(CP_IDLE)
    }
    output.clear()
    recorder.watches = true
    let limits = limits.now(recorder, isThorough: isThorough)
    let child = cp_fork(output.errors)
    if child.pid == 0 { cp_leave(output.leave(work()) ? 0 : 1) }
    guard child.pid > 0 else {
      fault = Self.noChild(errno)
      return .lost
    }
    let end = unsafe cp_watch(child, recorder.page, limits.stall.wholeNanoseconds, limits.memory)
    if end.reason == CP_ENDED, end.signal == 0, end.status == 0, output.hasAnswer { return .answered(Data()) }
    // Memory that the child has spoiled may show only when the answer is written.
    guard recorder.isExecuting || recorder.executions > executions else { return .lost }
    var death = Death(end, limits, in: recorder, errors: capturedText(output.errors))
    if !recorder.isExecuting { death = death.earlier ?? death }
    recorder.note(
      death, after: limits, of: self.limits, isAlone: recorder.executions == executions + 1)
    return .died(death.known(to: recorder))
  }
}

extension Explorer.ProcessLimits {
  /// Returns the limits that are enough now. Waiting for the full time and filling the full memory is done once. From
  /// then on, a step gets some multiple of the time that steps took that ended. If it `isThorough`, because the verdict
  /// rests on it, the step gets all that it may have.
  func now(_ recorder: FlightRecorder, isThorough: Bool) -> Self {
    guard !isThorough else { return self }
    var short = self
    if recorder.costs.wasPatient {
      short.stall = min(stall, max(.milliseconds(100), stall / 40, recorder.costs.longest * 4))
    }
    if recorder.costs.wasFilled {
      short.memory = min(memory, cp_memory(cp_self()) + max(64 << 20, memory / 32))
    }
    return short
  }

  /// Returns true if the limit that was reached is the full one, in this execution or in another that came to the same spot.
  func makeSure(of death: Death) -> Bool {
    switch death.cause {
    case .stalled(let time): time >= stall
    case .tooLarge(let bytes): bytes >= memory
    default: true
    }
  }
}

extension FlightRecorder {
  /// Notes how a child that was given `limits` ended; `all` are the full limits. What several executions leave behind
  /// fills the memory too, and says nothing about an execution unless it `isAlone`.
  func note(
    _ death: Death, after limits: Explorer.ProcessLimits, of all: Explorer.ProcessLimits, isAlone: Bool
  ) {
    switch death.cause {
    case .stalled where limits.stall == all.stall: hasStalled(for: limits.stall)
    case .tooLarge(let bytes) where isAlone:
      if bytes == all.memory { wasFilled(with: bytes) } else { costs.wasFilled = true }
    default: break
    }
  }
}

extension Death {
  /// Returns this death as it is known: its step may have been given more time or memory before than it was now.
  func known(to recorder: FlightRecorder) -> Death {
    guard isCostly else { return self }
    if let time = recorder.stalls[DeathSpot(recorder)] { return with(.stalled(time)) }
    return recorder.filledFromHere.map { with(.tooLarge($0)) } ?? self
  }

  /// Creates the death of a child that was watched.
  init(_ end: cp_end, _ limits: Explorer.ProcessLimits, in recorder: FlightRecorder, errors: String) {
    let cause: Cause =
      switch end.reason {
      case CP_STALLED: .stalled(limits.stall)
      case CP_TOO_LARGE: .tooLarge(limits.memory)
      case CP_LATE: .late
      default: end.signal != 0 ? .signal(end.signal) : .exit(end.status)
      }
    self.init(cause, in: recorder, errors: errors)
  }
}

/// Returns what children have written to their standard error.
func capturedText(_ capture: Int32) -> String {
  var bytes = [CChar](repeating: 0, count: 16_384)
  let count = unsafe cp_capture_read(capture, &bytes, bytes.count)
  return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
