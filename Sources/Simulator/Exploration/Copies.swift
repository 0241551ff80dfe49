internal import CProcesses
internal import Foundation

/// Makes copies of this process, one at a time, and waits for the end of each.
final class Copies {
  /// Where a copy was when it came to its end.
  struct Spot: Hashable {
    let executions: Int
    let steps: Int
    let isExecuting: Bool

    init(_ recorder: FlightRecorder) {
      executions = recorder.executions
      steps = recorder.steps
      isExecuting = recorder.isExecuting
    }

    /// How many executions are known not to end the process.
    var safeExecutions: Int { max(0, executions - (isExecuting ? 1 : 0)) }
  }

  enum End {
    case answered(Data)
    /// Without an answer.
    case ended(Spot)
    /// It was ended because it did nothing but sleep; whether it waited for a lock that it held itself.
    case asleep(Spot, waitingForItself: Bool)
    /// It could not be made.
    case none
  }

  private let recorder: FlightRecorder
  private let limits: Explorer.ProcessLimits
  private let output: ChildOutput

  /// Copies whose executions `recorder` shows; nil where there is no memory to share.
  init?(_ recorder: FlightRecorder, _ limits: Explorer.ProcessLimits) {
    guard recorder.isShared, let output = ChildOutput() else { return nil }
    self.recorder = recorder
    self.limits = limits
    self.output = output
  }

  /// Runs `work` in a copy. What that writes to its standard error is shown when it has answered; with `quietly` it
  /// writes no output.
  func run(quietly: Bool, asleepFor longestSleep: Duration, _ work: () -> Data) -> End {
    output.clear()
    unsafe recorder.page.pointee.phase = UInt32(CP_IDLE)
    recorder.executions = 0
    recorder.watches = false
    let copy = cp_copy(output.errors, quietly)
    if copy.pid == 0 { cp_leave_copy(output.leave(work()) ? 0 : 1) }
    guard copy.pid > 0 else { return .none }
    let sleep = watch(copy, longestSleep.wholeNanoseconds)
    cp_close(copy.ended)
    let end = cp_reap(copy.pid)
    if sleep == nil, end.signal == 0, end.status == 0, let answer = output.answer {
      if !quietly { cp_show_captured(output.errors) }
      return .answered(answer)
    }
    let spot = Spot(recorder)
    return sleep.map { .asleep(spot, waitingForItself: $0.waitsForItself) } ?? .ended(spot)
  }

  /// A copy that slept for too long.
  private struct Sleep {
    let waitsForItself: Bool
  }

  /// Waits for the end of a copy, which it brings about where the copy goes beyond its limits. How it slept, if that was
  /// why.
  private func watch(_ copy: cp_child, _ longestSleep: Int64) -> Sleep? {
    var moved = (progress: recorder.progress, time: cp_now())
    var stillness = cp_stillness_begin(copy.pid)
    while true {
      var wait = cp_wait(descriptor: copy.ended, ready: false)
      unsafe cp_wait_for(&wait, 1, 20)
      if cp_has_ended(copy.pid) { return nil }
      if Task.isCancelled { recorder.isToStop = true }
      let progress = recorder.progress
      if progress != moved.progress || recorder.watches || !cp_is_asleep(copy.pid) {
        if progress != moved.progress || recorder.watches { stillness = cp_stillness_begin(copy.pid) }
        moved = (progress, cp_now())
      }
      let isAsleep = cp_now() - moved.time > longestSleep
      let patience = recorder.isExecuting ? limits.stall : limits.stall * 6
      let isStill = unsafe Duration.nanoseconds(cp_stillness_now(&stillness, copy.pid)) > patience
      guard isAsleep || isStill || cp_memory(copy.pid) > limits.memory else { continue }
      let sleep = isAsleep ? Sleep(waitsForItself: cp_waits_for_itself(copy.pid)) : nil
      cp_end_copy(copy)
      return sleep
    }
  }
}
