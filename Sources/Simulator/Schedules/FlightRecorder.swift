internal import CProcesses

/// What a simulation is doing, written down as it happens: the step, the tape so far. In memory that others share, it
/// tells them how a process came to its end.
///
/// Safe because the pages live as long as this, and only the simulation's thread writes them; who reads them elsewhere
/// does so when that has stopped, or wants no more than to see that something moves.
@safe package final class FlightRecorder: @unchecked Sendable {
  // @unchecked Sendable for the reason given above.
  let page: UnsafeMutablePointer<cp_recorder>
  /// Room for the choices beside the page; nil where the page is this process's own.
  let tape: UnsafeMutablePointer<cp_choice>?
  /// Where steps have had all the time that they may take, and how much that was; children inherit it.
  var stalls: [DeathSpot: Duration] = [:]
  /// What executions had chosen that have used all the memory that one may, and how many bytes that was.
  var filled: [(choices: [Schedule.Choice], bytes: UInt64)] = []

  /// In this process's own memory.
  init() {
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

  /// In memory that this process's children share; nil when there is none to be had.
  static func shared() -> FlightRecorder? { unsafe cp_recorder_create().map { unsafe FlightRecorder($0) } }

  /// The one behind a descriptor; nil when it cannot be mapped.
  package static func mapped(_ descriptor: Int32) -> FlightRecorder? {
    unsafe cp_recorder_map(descriptor).map { unsafe FlightRecorder($0) }
  }

  /// The one that this process was given when `parent` started it as a worker; nil when one of them is gone.
  package static func ofWorker(startedBy parent: Int32) -> FlightRecorder? {
    unsafe cp_worker_begin(parent).map { unsafe FlightRecorder($0) }
  }

  /// In a worker of `parent`: copies this process for it, until nobody wants more. Returns only in a copy, for which this
  /// is the recorder that it was given.
  package func serveCopies(to parent: Int32) { unsafe cp_serve_copies(parent, page) }

  /// Leaves an answer for the parent of this worker, which has lost its connection; false when there is no memory for it.
  package func leave(answer: UnsafeRawBufferPointer) -> Bool {
    guard let base = answer.baseAddress else { return false }
    return unsafe cp_worker_leave_answer(page, base, answer.count)
  }

  /// A descriptor of the answer that the worker `pid` has left; nil when there is none.
  package func answer(leftBy pid: Int32) -> Int32? {
    let descriptor = unsafe cp_worker_answer(pid, page)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Whether others can read it.
  var isShared: Bool { unsafe tape != nil }

  /// The choices of the execution in progress; nil when there are more than fit here.
  package var choices: [Schedule.Choice]? {
    let count = unsafe page.pointee.choices
    guard let tape = unsafe tape, count <= UInt64(CP_TAPE_LENGTH) else { return nil }
    return (0..<Int(count)).map { unsafe Schedule.Choice(tape[$0]) }
  }
}

extension FlightRecorder {
  /// How many executions have begun.
  package var executions: Int {
    get { unsafe Int(page.pointee.executions) }
    set { unsafe page.pointee.executions = UInt64(newValue) }
  }
  /// An execution begins on this thread.
  func executionBegins() {
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

  /// It has ended, and what it left behind has run out. Of the executions in a copy of a process a person is shown what the first
  /// one writes, not the same a thousand times.
  func executionEnded() {
    cp_record_here(nil)
    cp_fall_silent()
    unsafe page.pointee.phase = UInt32(CP_IDLE)
  }

  /// How many steps of the execution in progress have begun.
  package var steps: Int { unsafe Int(page.pointee.steps) }
  /// The digest of its trace as the last of them began.
  package var digest: UInt64 { unsafe page.pointee.digest }
  /// How many schedules the exploration in progress has tried.
  package var schedules: Int {
    get { unsafe Int(page.pointee.schedules) }
    set { unsafe page.pointee.schedules = UInt64(newValue) }
  }
  /// The number of the schedule that it tries, or tries next.
  package var number: Int {
    get { unsafe Int(page.pointee.number) }
    set { unsafe page.pointee.number = UInt64(newValue) }
  }
  /// How many of them behaved differently.
  package var behaviours: Int {
    get { unsafe Int(page.pointee.behaviours) }
    set { unsafe page.pointee.behaviours = UInt64(newValue) }
  }
  /// How many actions have happened between them.
  var acts: Int { unsafe Int(page.pointee.acts) }
  /// Whether anything else could run as the last step began, or waited for time to pass.
  var hasOthers: Bool { unsafe page.pointee.others > 0 }
  /// Whether a step of the execution stands in its middle.
  var hasParked: Bool { unsafe page.pointee.parked > 0 }
  /// Whether the execution is over, and what it left behind is being run out.
  var isTearingDown: Bool { unsafe page.pointee.tearing_down != 0 }
  /// Whether an execution is in progress.
  package var isExecuting: Bool { unsafe page.pointee.phase != UInt32(CP_IDLE) }
  /// How many threads its process had when it last wanted a child.
  package var threads: Int { unsafe Int(page.pointee.threads) }
  /// Whether its process waits for a child of its own.
  package var watches: Bool {
    get { unsafe page.pointee.watches != 0 }
    set { unsafe page.pointee.watches = newValue ? 1 : 0 }
  }
  /// Whether the exploration in progress is to end as soon as it can.
  package var isToStop: Bool {
    get { unsafe page.pointee.stop != 0 }
    set { unsafe page.pointee.stop = newValue ? 1 : 0 }
  }
  /// What processes have taken of the machine.
  package struct Costs: Sendable {
    /// Whether a step was given all the time that one may take, and has not ended.
    package var wasPatient = false
    /// Whether all the memory was used up that may be.
    package var wasFilled = false
    /// For how long a step has stood still, at most, that ended.
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
  /// When everything is to have come to an end; 0 for never.
  package var deadline: Int64 {
    get { unsafe page.pointee.deadline }
    set { unsafe page.pointee.deadline = newValue }
  }
  /// Whether the real time is over that may be spent, and so much beyond it.
  func isOutOfTime(by slack: Duration = .zero) -> Bool {
    let deadline = deadline
    return deadline != 0 && cp_now() - slack.wholeNanoseconds > deadline
  }
  /// From here on everything may take so much real time, unless it is to end before.
  func end(within time: Duration?) {
    guard let time else { return }
    let end = cp_now() + time.wholeNanoseconds
    deadline = deadline == 0 ? end : min(deadline, end)
  }
  /// Changes whenever something is done.
  package var progress: UInt64 {
    unsafe page.pointee.executions &<< 32 &+ page.pointee.steps &<< 8 &+ page.pointee.acts
      &+ page.pointee.choices
  }
}

/// A place in an execution at which its process has come to its end.
struct DeathSpot: Hashable {
  let choices: [Schedule.Choice]?
  let steps: Int
  let acts: Int

  init(_ recorder: FlightRecorder) {
    choices = recorder.choices
    steps = recorder.steps
    acts = recorder.acts
  }
}
