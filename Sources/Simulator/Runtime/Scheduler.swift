internal import CConcurrencyHooks
internal import CProcesses

/// Runs one execution at a time on the thread that calls ``run(limits:before:root:)``, in the order that the chooser
/// decides.
///
/// What belongs to one execution stands in `state`, in `tables`, in the recorder and in the hooks' own record: each is
/// fresh when an execution begins.
///
/// Nothing here assumes that a step runs to its end before the next begins: what a step is doing is kept in a frame,
/// which is saved and restored around each, and the thread-local names the scheduler, not the step.
@safe final class Scheduler {
  var state = ExecutionState()
  let tables: Tables
  // Short names for the tables of every step. Stored, so that to read one counts no reference of `tables`.
  let queue: RunQueue
  let timers: Timers
  let tasks: Tasks
  let domains: Domains
  let chooser: Chooser
  let recorder: Recorder
  let monitors = Monitors()
  let hooks: UnsafeMutablePointer<ch_simulation>
  let flightRecorder: FlightRecorder
  /// Its page, which every step writes.
  let flight: UnsafeMutablePointer<cp_recorder>
  let inbox = ForeignInbox.open()
  /// What simulated code is given to reach us: of a type that only the rooms above know. It does not own us.
  var handle: AnyObject?
  private let hop = HopExecutor()
  private let main = MainStandIn()
  /// Whether a step of the last execution ended in its middle.
  var hasLeftStep = false
  /// The thread that runs the execution, where others may drive it meanwhile.
  var firstThread: OpaquePointer?
  private(set) var limits = Limits(time: 0, stepsAtOneInstant: 0, patience: 0)
  private var tearDownLimit = 0
  var ending = ExecutionEnding.finished

  init(recorder flightRecorder: FlightRecorder = FlightRecorder()) {
    recorder = Recorder(monitors)
    self.flightRecorder = flightRecorder
    unsafe flight = flightRecorder.page
    unsafe hooks = .allocate(capacity: 1)
    unsafe hooks.initialize(to: ch_simulation())
    let mainReference = unsafe main.asUnownedSerialExecutor().words
    tables = Tables(mainIdentity: mainReference.identity)
    (queue, timers, tasks, domains) = (tables.queue, tables.timers, tables.tasks, tables.domains)
    chooser = Chooser(flightRecorder)
    unsafe hooks.pointee.hop = hop.asUnownedSerialExecutor().words
    unsafe hooks.pointee.main = mainReference
    unsafe hooks.pointee.scheduler = Unmanaged.passUnretained(self).toOpaque()
    // Safe: both live as long as the scheduler.
    unsafe hooks.pointee.phase = UnsafePointer(flight.pointer(to: \.phase))
  }

  deinit {
    inbox.close()
    unsafe ch_end_threads(hooks)
    unsafe ch_forget_resumes(hooks)
    unsafe ch_forget_accesses(hooks)
    unsafe hooks.deinitialize(count: 1)
    unsafe hooks.deallocate()
  }
}

// MARK: - Time

extension Scheduler {
  /// Virtual nanoseconds since the execution began.
  var now: Int64 { unsafe hooks.pointee.execution.now }

  func moveTime(to instant: Int64) { unsafe hooks.pointee.execution.now = instant }
}

// MARK: - One execution

extension Scheduler {
  /// Runs what `root` starts until nothing is left to do or a limit is reached; or, when it is known how that ends the
  /// process, until just before.
  func run(limits: Limits, before death: Death? = nil, root: () -> Void) -> ExecutionEnding {
    self.limits = limits
    begin(before: death)
    unsafe ch_set_current(hooks)
    defer { ch_set_current(nil) }
    root()
    ending = .escaped
    hasLeftStep = false
    let isLeft = unsafe !untilLeft {
      unsafe Scheduler.with($0) {
        if $0.limits.overlaps {
          $0.driveHere()
        } else if let ending = $0.loopOfWholeSteps() {
          $0.ending = ending
        }
      }
    }
    if isLeft, limits.overlaps { openAbandoned() }
    if state.hasRaced { ending = .raced }
    if isLeft, ending == .escaped { hasLeftStep = true }
    if ending == .escaped {
      endEscaped()
    } else if ending == .died {
      chooser.repeatChoices(death?.choices.dropFirst(chooser.tape.count) ?? [])
    } else if ending == .raced {
      state.frame = .none
      unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    } else if tasks.alive > 0 || inbox.visitors > 0 {
      if takeForeign(waiting: 0) { ending = .escaped }
    }
    recorder.atRest(self, judging: ending != .died && ending != .raced)
    return ending
  }

  /// Runs what `body` does to the scheduler that it is given. False if a step in it ended in its middle, because it waits
  /// for ever. Then nothing that stands between the two is undone: `body` captures nothing.
  private func untilLeft(_ body: @convention(c) (UnsafeMutableRawPointer) -> Void) -> Bool {
    unsafe ch_run_until_left(hooks, body, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Forgets the last execution.
  private func begin(before death: Death?) {
    let tag = ch_make_tag(inbox.slot, inbox.nextExecution())
    state = ExecutionState(tag: tag, cut: ExecutionState.Cut(before: death))
    tables.removeAll()
    if chooser.followsDependencies { tables.dependencies.begin() }
    unsafe hooks.pointee.execution = ch_begin_execution(tag, chooser.followsDependencies, limits.overlaps)
    unsafe hooks.pointee.execution.watches_sharing = limits.watchesSharing
    followAccesses()
    inbox.accept(tag: tag)
    flightRecorder.executionBegins()
  }

  /// Frees what the execution left behind: cancels what is alive and lets it run out, unobserved, at most
  /// `steps` steps. What still will not end is given up, and its memory with it.
  func tearDown(steps limit: Int = 100_000) {
    unsafe flight.pointee.tearing_down = 1
    unsafe ch_set_current(hooks)
    defer {
      ch_set_current(nil)
      inbox.accept(tag: 0)
      flightRecorder.executionEnded()
    }
    stopOffering()
    defer {
      unsafe ch_end_program_threads(hooks)
      unsafe ch_forget_run_loops(hooks)
    }
    if limits.overlaps {
      openHeldLocks()
      leaveStanding()
    }
    unsafe ch_await_ended_threads(hooks)
    unsafe ch_forget_run_loops(hooks)
    // The step that would have ended the process is as dangerous now as it was then, and the rest of a program that waits
    // for other threads has nothing to go on with.
    if state.isCut { return }
    exhume()
    guard tasks.alive > 0 || queue.count > 0 || !timers.isEmpty else { return }
    tearDownLimit = limit
    _ = unsafe untilLeft { unsafe Scheduler.with($0) { $0.runOut(steps: $0.tearDownLimit) } }
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
  }

  private func runOut(steps limit: Int) {
    // What a cancel calls at once is the program's.
    unsafe flight.pointee.phase = UInt32(CP_ACTING)
    // The newest first: the runtime cancels a task's children by a recursion, which ends at those that are cancelled.
    for task in tasks.living.reversed() { unsafe ch_cancel(tasks[task].address) }
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    for _ in 0..<limit where state.steps + 1 != state.cut.tearDownStep {
      if !tables.yielders.isEmpty { offerYielders() }
      if queue.offers > 0 {
        run(queue.find(0))
      } else if !timers.isEmpty {
        fireEarliest()
      } else {
        break
      }
    }
  }

  /// From here on nothing is asked, recorded or judged.
  private func stopOffering() {
    tables.anytime.removeAll()
    stopFollowingCancellations()
    recorder.mute()
    chooser.mute()
    unsafe hooks.pointee.execution.follows_dependencies = false
    unsafe hooks.pointee.execution.overlaps = false
    unsafe hooks.pointee.execution.follows_accesses = false
  }
}

extension UnownedSerialExecutor {
  /// The two words that the runtime passes around.
  var words: ch_executor { unsafe unsafeBitCast(self, to: ch_executor.self) }
}
