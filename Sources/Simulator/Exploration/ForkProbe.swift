internal import CConcurrencyHooks
internal import CProcesses
internal import Glibc

/// Runs executions ahead in a child, a copy of this process that comes to the same ends, to learn which one
/// ends it.
///
/// The child goes on from where it was forked: it makes the same decisions, runs the same executions, and
/// leaves without a word when it has run as many as it was to. So the parent, which asks before each
/// execution, learns in time of the one that must not be run to its end.
///
/// A process with more than one thread is not forked: a lock that another thread holds is never let go in the
/// copy.
final class ForkProbe: CrashForecast {
  /// How many executions a child runs.
  static let length = 64
  /// How many of them may be killed from outside before none is started any more.
  private static let mostKills = 8

  /// Where children have killed themselves: a second one was killed in the same place.
  private var ownKills: Set<DeathSpot> = []
  private let recorder: FlightRecorder
  private let limits: Explorer.ProcessLimits
  /// All executions before this one are known not to end the process.
  private var safe: Int
  /// How the one after them does.
  private var death: Death?
  /// In a child: how many executions it may still run.
  private var left: Int?
  private let capture = cp_capture_open()
  /// Why executions are not run ahead; nil if they are.
  private(set) var refusal: String?

  /// Asked for the executions that `recorder` counts, of which the first `safe` are known not to end the
  /// process.
  init(_ recorder: FlightRecorder, limits: Explorer.ProcessLimits, safe: Int = 0) {
    self.recorder = recorder
    self.limits = limits
    self.safe = safe
    ch_keep_descriptor(capture)
  }

  deinit { cp_close(capture) }

  /// How the execution that is to begin will end the process; nil if it will not, or if that is not known.
  /// With `isThorough` nothing is spared to make sure.
  func next(isThorough: Bool) -> Death? {
    if let left { return goOn(left) }
    if recorder.executions < safe { return nil }
    if death == nil { look(limits.now(recorder, isThorough: false)) }
    if isThorough, left == nil, let death, !limits.makeSure(of: death) {
      look(limits.now(recorder, isThorough: true))
    }
    // We may be the child by now.
    if let left { return goOn(left) }
    guard recorder.executions >= safe else { return nil }
    defer { death = nil }
    return death
  }

  /// Nothing more will be run: where a child has come as far as this it is done.
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
      // Between executions nothing can be left out: what ends the process there ends it.
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

  /// How a child ends that goes on from here; nil in the child, and where there is none to be had.
  ///
  /// The system or a person may kill it. That is not the program's doing, and happens no second time in the same place.
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
  /// Whether somebody else may have sent the signal `number` by which a process ended.
  fileprivate func mayBeFromOutside(_ number: Int32) -> Bool {
    [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(number) && sent(endingBy: number) == nil
  }
}
