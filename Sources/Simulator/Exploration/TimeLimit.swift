internal import CProcesses
internal import SimulatorCore

/// A time limit that does not end sooner because the machine is busy, nor because other threads of the process are.
///
/// It is over once that much real time has passed and the process has also had that much processor time.
struct TimeLimit {
  private let end: Int64
  private let processorEnd: Int64

  init(_ time: Duration) {
    end = cp_now() + time.wholeNanoseconds
    processorEnd = cp_processor_now() + time.wholeNanoseconds
  }

  var isOver: Bool { cp_now() > end && cp_processor_now() > processorEnd }
}
