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
  private let capture = cp_capture_open()
  private let answers: Int32

  /// Copies whose executions `recorder` shows; nil where there is no memory to share.
  init?(_ recorder: FlightRecorder, _ limits: Explorer.ProcessLimits) {
    answers = cp_answer_open()
    guard answers >= 0, recorder.isShared else {
      cp_close(answers)
      return nil
    }
    self.recorder = recorder
    self.limits = limits
  }

  deinit {
    cp_close(answers)
    cp_close(capture)
  }

  /// Runs `work` in a copy. What that writes to its standard error is shown when it has answered; with `quietly` it
  /// writes no output.
  func run(quietly: Bool, asleepFor longestSleep: Duration, _ work: () -> Data) -> End {
    cp_answer_clear(answers)
    unsafe recorder.page.pointee.phase = UInt32(CP_IDLE)
    recorder.executions = 0
    recorder.watches = false
    let copy = cp_copy(capture, quietly)
    if copy.pid == 0 { leave(with: work()) }
    guard copy.pid > 0 else { return .none }
    let sleep = watch(copy, longestSleep.wholeNanoseconds)
    cp_close(copy.ended)
    let end = cp_reap(copy.pid)
    if sleep == nil, end.signal == 0, end.status == 0, let answer { return answered(answer, quietly) }
    let spot = Spot(recorder)
    return sleep.map { .asleep(spot, waitingForItself: $0.waitsForItself) } ?? .ended(spot)
  }

  private func answered(_ answer: Data, _ quietly: Bool) -> End {
    if !quietly { cp_show_captured(capture) }
    return .answered(answer)
  }

  private var answer: Data? {
    let size = cp_answer_size(answers)
    var bytes = Data(count: size)
    let isRead = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_answer_read(answers, base, size)
    }
    return isRead && size > 0 ? bytes : nil
  }

  private func leave(with answer: Data) -> Never {
    let isWritten = unsafe answer.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_answer_write(answers, base, buffer.count)
    }
    cp_leave_copy(isWritten ? 0 : 1)
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
