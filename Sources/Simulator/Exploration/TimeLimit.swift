internal import CProcesses

/// A bound by time that is not reached sooner because the machine is busy, nor because other threads of the process are.
///
/// It is over when so much real time has passed, and the process had a processor for so long.
struct TimeLimit {
  private let end: Int64
  private let processorEnd: Int64

  init(_ time: Duration) {
    end = cp_now() + time.wholeNanoseconds
    processorEnd = cp_processor_now() + time.wholeNanoseconds
  }

  var isOver: Bool { cp_now() > end && cp_processor_now() > processorEnd }
}
