internal import CConcurrencyHooks
internal import CProcesses
internal import Glibc
internal import SimulatorCore
internal import SimulatorKernel

/// Runs executions ahead in a child, a copy of this process that comes to the same ends, to learn which one ends it.
///
/// The child continues from where it was forked. It makes the same decisions, runs the same executions, and exits
/// silently when it has run as many as planned. So the parent, which asks before each execution, learns in time which
/// one must not run to its end.
///
/// A process with more than one thread is not forked: a lock that another thread holds is never released in the copy.
final class ForkProbe: CrashForecast {
  /// The number of executions that a child runs.
  static let length = 64
  /// The number of children that may be killed from outside before no more are started.
  private static let mostKills = 8

  /// The places where children have killed themselves: a second child was killed in the same place.
  private var ownKills: Set<DeathSpot> = []
  private let recorder: FlightRecorder
  private let limits: Explorer.ProcessLimits
  /// All executions before this one are known not to end the process.
  private var safe: Int
  /// The way in which the execution after those ends the process, if it does.
  private var death: Death?
  /// In a child: the number of executions that it may still run.
  private var left: Int?
  private let capture = cp_capture_open()
  /// The reason why executions are not run ahead; nil if they are.
  private(set) var refusal: String?

  /// Creates a probe for the executions that `recorder` counts, of which the first `safe` are known not to end the
  /// process.
  init(_ recorder: FlightRecorder, limits: Explorer.ProcessLimits, safe: Int = 0) {
    self.recorder = recorder
    self.limits = limits
    self.safe = safe
    ch_keep_descriptor(capture)
  }

  deinit { cp_close(capture) }

  /// Returns how the execution that is about to begin will end the process; nil if it will not, or if that is unknown.
  /// With `isThorough`, spares nothing to make sure.
  func next(isThorough: Bool) -> Death? {
    if let left { return goOn(left) }
    if recorder.executions < safe { return nil }
    if death == nil { look(limits.now(recorder, isThorough: false)) }
    if isThorough, left == nil, let death, !limits.makeSure(of: death) {
      look(limits.now(recorder, isThorough: true))
    }
    // This process may be the child by now.
    if let left { return goOn(left) }
    guard recorder.executions >= safe else { return nil }
    defer { death = nil }
    return death
  }

  /// Notes that nothing more will be run: a child that has come this far is done.
  func end() {
    guard left != nil else { return }
    unsafe recorder.page.pointee.left = 1
    cp_leave(0)
  }

  private func goOn(_ left: Int) -> Death? {
    if left == 0 { end() }
    self.left = left - 1
    return nil
  }

  private func look(_ limits: Explorer.ProcessLimits) {
    let threads = threadsThatMayHoldLocks()
    unsafe recorder.page.pointee.threads = UInt32(clamping: threads)
    guard threadsAreKnown else { return refuse(FreshProcesses.unknownThreads) }
    guard threads == 1 else {
      return refuse("the process has \(threads) threads, and only one with a single thread can be forked")
    }
    let before = recorder.executions
    death = nil
    guard let end = runAhead(limits) else { return }
    let begun = recorder.executions - before
    if end.reason == CP_ENDED, unsafe recorder.page.pointee.left == 1 {
      safe = before + begun
    } else {
      // Nothing can be skipped between executions: what ends the child there ends this process.
      safe = before + (recorder.isExecuting ? max(0, begun - 1) : begun)
      death =
        begun > 0 && recorder.isExecuting
        ? Death(end, limits, in: recorder, errors: capturedText(capture)) : nil
      if let death {
        recorder.note(
          death, after: limits, of: self.limits, isAlone: begun == 1)
        self.death = death.known(to: recorder)
      }
    }
    recorder.executions = before
    unsafe recorder.page.pointee.phase = UInt32(CP_IDLE)
  }

  /// Returns how a child that continues from here ends; nil in the child, and if no child can be had.
  ///
  /// The system or a person may kill the child. That is not the program's doing, and does not happen twice in the same place.
  private func runAhead(_ limits: Explorer.ProcessLimits) -> cp_end? {
    let before = recorder.executions
    var killed: UInt64?
    for _ in 0..<Self.mostKills {
      let killsForMemory = cp_memory_kills()
      recorder.executions = before
      unsafe recorder.page.pointee.left = 0
      recorder.watches = true
      let child = cp_fork(capture)
      guard child.pid != 0 else {
        left = Self.length
        return nil
      }
      defer { recorder.watches = false }
      guard child.pid > 0 else {
        refuse("no child process could be started")
        return nil
      }
      let end = unsafe cp_watch(child, recorder.page, limits.stall.wholeNanoseconds, limits.memory)
      guard end.reason == CP_ENDED, recorder.mayBeFromOutside(end.signal) else { return end }
      if cp_memory_kills() == killsForMemory,
        killed == recorder.progress || ownKills.contains(DeathSpot(recorder))
      {
        ownKills.insert(DeathSpot(recorder))
        return end
      }
      killed = recorder.progress
    }
    recorder.executions = before
    unsafe recorder.page.pointee.phase = UInt32(CP_IDLE)
    refuse("the processes that run ahead are killed from outside, perhaps because memory is short")
    return nil
  }

  private func refuse(_ why: String) {
    refusal = why
  }
}

extension FlightRecorder {
  /// Returns true if another process may have sent the signal `number` that ended a process.
  fileprivate func mayBeFromOutside(_ number: Int32) -> Bool {
    [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(number) && sent(endingBy: number) == nil
  }
}
