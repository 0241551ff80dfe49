internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore

/// Runs one execution at a time on the thread that calls ``run(limits:before:root:)``, in the order that the chooser
/// decides.
///
/// The state of one execution is in `state`, in `tables`, in the recorder and in the hooks' own record. Each is fresh
/// when an execution begins.
///
/// Nothing here assumes that a step ends before the next begins. A frame holds what a step is doing, and is saved and
/// restored around each step. The thread-local variable names the scheduler, not the step.
@safe package final class Scheduler {
  var state = ExecutionState()
  let tables: Tables
  // Short names for the tables that every step uses. They are stored, so that reading one counts no reference of `tables`.
  let queue: RunQueue
  let timers: Timers
  let tasks: Tasks
  let domains: Domains
  let chooser: Chooser
  let recorder: Recorder
  let monitors = Monitors()
  let hooks: UnsafeMutablePointer<ch_simulation>
  let flightRecorder: FlightRecorder
  /// The page of the flight recorder, which every step writes.
  let flight: UnsafeMutablePointer<cp_recorder>
  let inbox = ForeignInbox.open()
  /// The object through which simulated code reaches the scheduler. Only higher layers know its type. It does not own
  /// the scheduler.
  var handle: AnyObject?
  private let hop = HopExecutor()
  private let main = MainStandIn()
  /// True if a step of the last execution was abandoned in its middle.
  var hasLeftStep = false
  /// The thread that began the execution, if other threads may drive it too.
  var firstThread: OpaquePointer?
  package private(set) var limits = Limits(time: 0, stepLimitPerInstant: 0, patience: 0)
  private var tearDownLimit = 0
  /// True if what waits for a timer is noted even before the first range of an execution is set.
  var namesEnds = true
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

  func moveTime(to instant: Int64) {
    unsafe hooks.pointee.execution.now = instant
    if limits.hasWeakMemory { unsafe ch_weak_time_moves(hooks) }
  }
}

// MARK: - One execution

extension Scheduler {
  /// Runs what `root` starts until nothing is left to do or a limit is reached. If it is known how the execution ends
  /// its process, stops just before that `death`.
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
        } else {
          $0.state.watchesMutexes = $0.limits.watchesSharing && ch_uses_mutexes()
          if let ending = $0.loop($0.limits, WholeSteps.self) { $0.ending = ending }
        }
      }
    }
    if isLeft, limits.overlaps { unlockAbandoned() }
    if state.hasRaced { ending = .raced }
    if isLeft, ending == .escaped { hasLeftStep = true }
    if ending == .escaped {
      endEscaped()
    } else if ending == .died {
      chooser.repeatChoices(death?.choices.dropFirst(chooser.tape.count) ?? [])
    } else if ending == .raced {
      state.frame = .none
      unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    } else if tasks.alive > 0 || inbox.foreignTasks > 0 {
      if takeForeign(waiting: 0) { ending = .escaped }
    }
    recorder.ended(self, ending)
    return ending
  }

  /// Runs `body` with this scheduler. Returns false if a step in it was abandoned in its middle, because it waits
  /// forever. Then the frames in between are skipped and nothing in them is undone, so `body` captures nothing.
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
    if let instant = limits.spacedInstant { unsafe hooks.pointee.execution.spaced_at = instant }
    followAccesses()
    inbox.accept(tag: tag)
    flightRecorder.executionBegins()
  }

  /// Frees what the execution left behind: cancels what is alive, and lets it run out, unobserved, for at most `steps`
  /// steps. What still does not end is given up, and so is its memory.
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
      tables.locks.stopJudging()
      abandonParked()
    }
    unsafe ch_await_ended_threads(hooks)
    unsafe ch_forget_run_loops(hooks)
    // The step that would have ended the process is still just as dangerous. And a program that waits for other threads
    // has nothing to go on with.
    if state.isCut { return }
    requeueWithheld()
    guard tasks.alive > 0 || queue.count > 0 || !timers.isEmpty else { return }
    tearDownLimit = limit
    _ = unsafe untilLeft { unsafe Scheduler.with($0) { $0.runOut(steps: $0.tearDownLimit) } }
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
  }

  private func runOut(steps limit: Int) {
    // A cancel may call the program's code at once.
    unsafe flight.pointee.phase = UInt32(CP_ACTING)
    // Newest first: the runtime cancels a task's children recursively, and the recursion ends at tasks that are
    // cancelled already.
    for task in tasks.living.reversed() { unsafe ch_cancel(tasks[task].address) }
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    for _ in 0..<limit where state.steps + 1 != state.cut.tearDownStep {
      if !tables.yielders.isEmpty { offerYielders() }
      if queue.offers > 0 {
        let slot = queue.find(0)
        if isSleepEnd(slot) { endSleep(slot) } else { run(slot) }
      } else if !timers.isEmpty {
        fireEarliest()
      } else {
        break
      }
    }
  }

  /// Ends all asking, recording and judging.
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

// MARK: - What the C target calls
//
// Each function that the C target calls recovers the scheduler that the thread-local names, and passes the event on to it.
//
// Safe throughout: `ch_current` is non-null only while a scheduler's `run` is on this thread's stack, which keeps the
// scheduler alive.

extension Scheduler {
  /// Calls `body` with the scheduler, without counting a reference.
  @inline(__always)
  static func with<Result>(
    _ simulation: UnsafeMutablePointer<ch_simulation>, _ body: (Scheduler) -> Result
  ) -> Result {
    guard let pointer = unsafe simulation.pointee.scheduler else {
      // The hooks are called for a running simulation only; C cannot say that in its types.
      fatalError("a simulation without a scheduler")
    }
    return unsafe with(pointer, body)
  }

  @inline(__always)
  static func with<Result>(_ pointer: UnsafeMutableRawPointer, _ body: (Scheduler) -> Result) -> Result {
    unsafe Unmanaged<Scheduler>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
  }
}
