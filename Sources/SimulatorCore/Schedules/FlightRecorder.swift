package import CProcesses

/// A record of what a simulation is doing, written as it happens: the step and the tape so far. In shared memory, it
/// lets other processes see how a process came to its end.
///
/// Safe because the pages live as long as this object, and only the simulation's thread writes them. Other readers
/// either read after that thread has stopped, or only need to see that something moves.
@safe package final class FlightRecorder: @unchecked Sendable {
  // @unchecked Sendable for the reason given above.
  package let page: UnsafeMutablePointer<cp_recorder>
  /// The room for choices next to the page; nil if the page is in this process's own memory.
  let tape: UnsafeMutablePointer<cp_choice>?
  /// The spots at which steps used up all the time that they may take, with that time; children inherit them.
  package var stalls: [DeathSpot: Duration] = [:]
  /// The choices of executions that used up all the memory that one may use, with the number of bytes.
  package var filled: [(choices: [Schedule.Choice], bytes: UInt64)] = []

  /// Creates a recorder in this process's own memory.
  package init() {
    unsafe page = .allocate(capacity: 1)
    unsafe page.initialize(to: cp_recorder())
    unsafe tape = nil
  }

  private init(_ shared: UnsafeMutablePointer<cp_recorder>) {
    unsafe page = shared
    unsafe tape = UnsafeMutableRawPointer(shared).advanced(by: Int(CP_TAPE_OFFSET)).assumingMemoryBound(
      to: cp_choice.self)
  }

  deinit {
    if unsafe tape == nil {
      unsafe page.deallocate()
    } else {
      unsafe cp_recorder_unmap(page)
    }
  }

  /// Returns a recorder in memory that is shared with this process's children; nil if there is no such memory.
  package static func shared() -> FlightRecorder? {
    unsafe cp_recorder_create().map { unsafe FlightRecorder($0) }
  }

  /// Returns the recorder behind a descriptor; nil if it cannot be mapped.
  package static func mapped(_ descriptor: Int32) -> FlightRecorder? {
    unsafe cp_recorder_map(descriptor).map { unsafe FlightRecorder($0) }
  }

  /// Returns the recorder that this process got when `parent` started it as a worker; nil if either is gone.
  package static func ofWorker(startedBy parent: Int32) -> FlightRecorder? {
    unsafe cp_worker_begin(parent).map { unsafe FlightRecorder($0) }
  }

  /// In a worker of `parent`: copies this process on request, until no more copies are wanted. Returns only in a copy,
  /// for which this recorder is the one that the copy was given.
  package func serveCopies(to parent: Int32) { unsafe cp_serve_copies(parent, page) }

  /// Leaves an answer for the parent of this worker, which has lost its connection. Returns false if there is no memory
  /// for it.
  package func leave(answer: UnsafeRawBufferPointer) -> Bool {
    guard let base = answer.baseAddress else { return false }
    return unsafe cp_worker_leave_answer(page, base, answer.count)
  }

  /// Returns a descriptor of the answer that the worker `pid` has left; nil if there is none.
  package func answer(leftBy pid: Int32) -> Int32? {
    let descriptor = unsafe cp_worker_answer(pid, page)
    return descriptor >= 0 ? descriptor : nil
  }

  /// True if other processes can read it.
  package var isShared: Bool { unsafe tape != nil }

  /// The choices of the execution in progress; nil if there are more than fit here.
  package var choices: [Schedule.Choice]? {
    let count = unsafe page.pointee.choices
    guard let tape = unsafe tape, count <= UInt64(CP_TAPE_LENGTH) else { return nil }
    return (0..<Int(count)).map { unsafe Schedule.Choice(tape[$0]) }
  }
}

extension FlightRecorder {
  /// The number of executions that have begun.
  package var executions: Int {
    get { unsafe Int(page.pointee.executions) }
    set { unsafe page.pointee.executions = UInt64(newValue) }
  }
  /// Notes that an execution begins on this thread.
  package func executionBegins() {
    unsafe page.pointee.steps = 0
    unsafe page.pointee.acts = 0
    unsafe page.pointee.tearing_down = 0
    unsafe page.pointee.parked = 0
    unsafe page.pointee.others = 0
    unsafe page.pointee.death.count = 0
    unsafe page.pointee.earlier.count = 0
    unsafe page.pointee.failures.size = 0
    unsafe page.pointee.ending.way = 0
    unsafe page.pointee.phase = UInt32(CP_BETWEEN)
    unsafe cp_record_here(page)
  }

  /// Notes that the execution has ended and that what it left behind has run out. In a copy of a process, only the
  /// output of the first execution is shown, so that the same text does not appear a thousand times.
  package func executionEnded() {
    cp_record_here(nil)
    cp_fall_silent()
    unsafe page.pointee.phase = UInt32(CP_IDLE)
  }

  /// The number of steps of the execution in progress that have begun.
  package var steps: Int { unsafe Int(page.pointee.steps) }
  /// The digest of the trace when the last of these steps began.
  package var digest: UInt64 { unsafe page.pointee.digest }
  /// The number of schedules that the exploration in progress has tried.
  package var schedules: Int {
    get { unsafe Int(page.pointee.schedules) }
    set { unsafe page.pointee.schedules = UInt64(newValue) }
  }
  /// The number of the schedule that is being tried, or comes next.
  package var number: Int {
    get { unsafe Int(page.pointee.number) }
    set { unsafe page.pointee.number = UInt64(newValue) }
  }
  /// The number of tried schedules that behaved differently.
  package var behaviors: Int {
    get { unsafe Int(page.pointee.behaviors) }
    set { unsafe page.pointee.behaviors = UInt64(newValue) }
  }
  /// The number of actions that have happened between the steps of the execution in progress.
  package var acts: Int { unsafe Int(page.pointee.acts) }
  /// True if anything else could run, or was waiting for time to pass, when the last step began.
  package var hasOthers: Bool { unsafe page.pointee.others > 0 }
  /// True if a step of the execution is parked.
  package var hasParked: Bool { unsafe page.pointee.parked > 0 }
  /// True if the execution is over, and what it left behind is being run out.
  package var isTearingDown: Bool { unsafe page.pointee.tearing_down != 0 }
  /// True if an execution is in progress.
  package var isExecuting: Bool { unsafe page.pointee.phase != UInt32(CP_IDLE) }
  /// The number of threads that its process had when it last wanted a child.
  package var threads: Int { unsafe Int(page.pointee.threads) }
  /// True if its process is waiting for a child of its own.
  package var watches: Bool {
    get { unsafe page.pointee.watches != 0 }
    set { unsafe page.pointee.watches = newValue ? 1 : 0 }
  }
  /// True if the exploration in progress must end as soon as it can.
  package var isToStop: Bool {
    get { unsafe page.pointee.stop != 0 }
    set { unsafe page.pointee.stop = newValue ? 1 : 0 }
  }
  /// The resources of the machine that processes have used.
  package struct Costs: Sendable {
    /// True if a step was given all the time that one may take, and has not ended.
    package var wasPatient = false
    /// True if all the permitted memory was used up.
    package var wasFilled = false
    /// The longest time for which a step that did end had stood still.
    package var longest = Duration.zero

    package init() {}
  }
  package var costs: Costs {
    get {
      var costs = Costs()
      costs.wasPatient = unsafe page.pointee.was_patient != 0
      costs.wasFilled = unsafe page.pointee.was_filled != 0
      costs.longest = .nanoseconds(Int64(clamping: unsafe page.pointee.longest))
      return costs
    }
    set {
      unsafe page.pointee.was_patient = newValue.wasPatient ? 1 : 0
      unsafe page.pointee.was_filled = newValue.wasFilled ? 1 : 0
      unsafe page.pointee.longest = UInt64(clamping: newValue.longest.wholeNanoseconds)
    }
  }
  /// The time by which everything must have come to an end; 0 for never.
  package var deadline: Int64 {
    get { unsafe page.pointee.deadline }
    set { unsafe page.pointee.deadline = newValue }
  }
  /// Returns true if the permitted real time, plus `slack`, is over.
  package func isOutOfTime(by slack: Duration = .zero) -> Bool {
    let deadline = deadline
    return deadline != 0 && cp_now() - slack.wholeNanoseconds > deadline
  }
  /// Limits everything from here on to this much real time, unless an earlier deadline is set.
  package func end(within time: Duration?) {
    guard let time else { return }
    let end = cp_now() + time.wholeNanoseconds
    deadline = deadline == 0 ? end : min(deadline, end)
  }
  /// A number that changes whenever something is done.
  package var progress: UInt64 {
    unsafe page.pointee.executions &<< 32 &+ page.pointee.steps &<< 8 &+ page.pointee.acts
      &+ page.pointee.choices
  }
}

/// The spot in an execution at which its process came to its end.
package struct DeathSpot: Hashable {
  let choices: [Schedule.Choice]?
  let steps: Int
  let acts: Int

  package init(_ recorder: FlightRecorder) {
    choices = recorder.choices
    steps = recorder.steps
    acts = recorder.acts
  }
}
