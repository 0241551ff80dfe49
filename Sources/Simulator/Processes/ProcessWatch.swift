internal import CProcesses
package import SimulatorCore
package import SimulatorKernel

/// Watches another process that runs executions, by what its recorder shows.
package struct ProcessWatch {
  private let pid: Int32
  private let recorder: FlightRecorder
  private var progress: UInt64
  /// True if it had moved at the last look.
  private var hasMoved = false
  /// The bytes of memory that it used when it moved or grew last.
  private var memory: UInt64 = 0
  private var stillness: cp_stillness
  /// The time for which it has stood still.
  private var still = Duration.zero

  package init(_ pid: Int32, _ recorder: FlightRecorder) {
    (self.pid, self.recorder) = (pid, recorder)
    progress = recorder.progress
    stillness = cp_stillness_begin(pid)
  }

  /// Looks again. Returns true if a step has begun or ended since the last look, or if the process waits for a child, which
  /// is watched by itself.
  package mutating func look() -> Bool {
    let now = recorder.progress
    let waits = recorder.watches
    if now != progress, !waits { recorder.costs.longest = max(recorder.costs.longest, still) }
    hasMoved = now != progress || waits
    progress = now
    if hasMoved { stillness = cp_stillness_begin(pid) }
    still = unsafe .nanoseconds(cp_stillness_now(&stillness, pid))
    return hasMoved
  }

  /// Returns the limit that it exceeded at the last look; nil if none.
  package mutating func excess(over limits: Explorer.ProcessLimits) -> Death.Cause? {
    let memory = cp_memory(pid)
    // One that grows does not count as still. If it grows without end, its size stops it, even on a slow machine.
    let grows = memory > self.memory + limits.memory / 32
    if hasMoved || grows { self.memory = memory }
    if grows {
      stillness = cp_stillness_begin(pid)
      still = .zero
    }
    if memory > limits.memory { return .tooLarge(limits.memory) }
    // Work between executions is not the program's and may take longer.
    return still > (recorder.isExecuting ? limits.stall : limits.stall * 6) ? .stalled(limits.stall) : nil
  }
}
