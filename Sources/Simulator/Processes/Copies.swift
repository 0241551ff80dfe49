internal import CConcurrencyHooks
internal import CProcesses
internal import Foundation
internal import SimulatorCore
internal import SimulatorKernel

/// Makes copies of this process, one at a time, and waits for the end of each.
///
/// `@unchecked Sendable` because the search in a copy, which reports its findings through it, has it to itself.
final class Copies: @unchecked Sendable {
  /// The place at which a copy ended.
  struct Spot: Hashable {
    let executions: Int
    let steps: Int
    let isExecuting: Bool

    init(_ recorder: FlightRecorder) {
      executions = recorder.executions
      steps = recorder.steps
      isExecuting = recorder.isExecuting
    }

    /// The number of executions that are known not to end the process.
    var safeExecutions: Int { max(0, executions - (isExecuting ? 1 : 0)) }
  }

  enum End {
    case answered(Data)
    /// The copy ended without an answer, by itself or because it stood still.
    case ended(Spot, Death.Cause)
    /// The copy was ended because it only slept, waiting for this.
    case asleep(Spot, waitingFor: Awaited)
    /// The copy was ended because it had used up the memory.
    case tooLarge(Spot, UInt64)
    /// The copy was ended because the time was over.
    case late
    /// No copy could be made.
    case none
  }

  /// The thing that a sleeping copy waits for.
  enum Awaited {
    /// A lock that it holds itself.
    case itself
    /// A lock that another thread of this process held when the copy was made, so it is a bad copy.
    case stranger
    case unknown
  }

  private let recorder: FlightRecorder
  private let limits: Explorer.ProcessLimits
  private let output: ChildOutput
  /// The time that a copy may go on after the time is over or it is to stop, and the time that it may take even if it
  /// does not get the processor.
  private static let grace = Duration.milliseconds(600)
  private static let longestGrace = Duration.seconds(2)

  /// Creates copies whose executions `recorder` shows; nil if there is no memory to share.
  init?(_ recorder: FlightRecorder, _ limits: Explorer.ProcessLimits) {
    guard recorder.isShared, let output = ChildOutput() else { return nil }
    self.recorder = recorder
    self.limits = limits
    self.output = output
  }

  /// In a copy: reports what is known so far, for this process to use if the copy gives no answer.
  func tell(_ news: Data) { output.tell(news) }

  /// The last report of the last copy.
  var told: Data? { output.told }

  /// Runs `work` in a copy. What the copy writes to standard error is shown once it has answered; with `quietly` it
  /// writes no output.
  func run(quietly: Bool, asleepFor longestSleep: Duration, _ work: () -> Data) -> End {
    output.clear()
    unsafe recorder.page.pointee.phase = UInt32(CP_IDLE)
    unsafe recorder.page.pointee.is_bad_copy = 0
    recorder.executions = 0
    recorder.watches = false
    let copy = cp_copy(output.errors, quietly)
    if copy.pid == 0 {
      ch_keep_open_descriptors()
      cp_note_condition()
      cp_leave_copy(output.leave(work()) ? 0 : 1)
    }
    guard copy.pid > 0 else { return .none }
    let excess = watch(copy, longestSleep)
    cp_close(copy.ended)
    let end = cp_reap(copy.pid)
    if unsafe recorder.page.pointee.is_bad_copy != 0 { return .asleep(Spot(recorder), waitingFor: .stranger) }
    // An answer counts, whatever else the copy did as it ended.
    if excess == nil, let answer = output.answer {
      if !quietly { cp_show_captured(output.errors) }
      return .answered(answer)
    }
    if let excess { return excess }
    return .ended(Spot(recorder), end.signal != 0 ? .signal(end.signal) : .exit(end.status))
  }

  /// The progress of a copy.
  private struct Movement {
    var watch: ProcessWatch
    /// The last time at which the copy was seen to do something.
    var time = cp_now()
    /// The stillness of the copy since its time was over, and the moment at which that was.
    var late: cp_stillness
    var end: Int64?
  }

  /// Waits for the end of a copy, and ends it if it exceeds its limits. Returns which limit it exceeded; nil if none.
  private func watch(_ copy: cp_child, _ longestSleep: Duration) -> End? {
    var moved = Movement(watch: ProcessWatch(copy.pid, recorder), late: cp_stillness_begin(copy.pid))
    while true {
      var wait = cp_wait(descriptor: copy.ended, ready: false)
      unsafe cp_wait_for(&wait, 1, 20)
      if cp_has_ended(copy.pid) { return nil }
      if Task.isCancelled { recorder.isToStop = true }
      if moved.watch.look() || !cp_is_asleep(copy.pid) { moved.time = cp_now() }
      guard let excess = excess(of: copy, &moved, longestSleep) else { continue }
      cp_end_copy(copy)
      return excess
    }
  }

  private func excess(of copy: cp_child, _ moved: inout Movement, _ longestSleep: Duration) -> End? {
    if isLate(copy, &moved) { return .late }
    let excess = moved.watch.excess(over: limits)
    if case .tooLarge(let bytes) = excess {
      if recorder.executions == 1 { recorder.wasFilled(with: bytes) }
      return .tooLarge(Spot(recorder), bytes)
    }
    let asleep = cp_now() - moved.time
    if asleep > longestSleep.wholeNanoseconds / 4, cp_waits_for_stranger(copy.pid) {
      return .asleep(Spot(recorder), waitingFor: .stranger)
    }
    if asleep > longestSleep.wholeNanoseconds {
      return .asleep(Spot(recorder), waitingFor: cp_waits_for_itself(copy.pid) ? .itself : .unknown)
    }
    guard let excess else { return nil }
    recorder.hasStalled(for: limits.stall)
    return .ended(Spot(recorder), excess)
  }

  /// Returns true if a copy that is to stop goes on beyond its grace time.
  private func isLate(_ copy: cp_child, _ moved: inout Movement) -> Bool {
    guard recorder.isOutOfTime() || recorder.isToStop else { return false }
    guard let end = moved.end else {
      moved.end = cp_now()
      moved.late = cp_stillness_begin(copy.pid)
      return false
    }
    let stillness = unsafe Duration.nanoseconds(cp_stillness_now(&moved.late, copy.pid))
    return stillness > Self.grace || .nanoseconds(cp_now() - end) > Self.longestGrace
  }
}

extension FlightRecorder {
  /// Notes that a step of the execution in progress has not ended within `time`, the most that a step may take.
  func hasStalled(for time: Duration) {
    costs.wasPatient = true
    if isExecuting { stalls[DeathSpot(self)] = time }
  }

  /// Notes that the execution in progress has used up `bytes` of memory, the most that one may use.
  func wasFilled(with bytes: UInt64) {
    costs.wasFilled = true
    if isExecuting, let choices { filled.append((choices, bytes)) }
  }

  /// The bytes of memory used up by an execution that began with this one's choices and went on in the natural order;
  /// nil if none did.
  var filledFromHere: UInt64? {
    guard let choices else { return nil }
    return filled.first {
      $0.choices.starts(with: choices) && $0.choices.dropFirst(choices.count).allSatisfy { $0.taken == 0 }
    }?.bytes
  }
}
