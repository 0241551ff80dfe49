internal import CConcurrencyHooks

/// The calls by which a program can escape the simulation, and the fate of each. Reports, tests and the list in the
/// guides are made from this table. `CConcurrencyHooks` has a function for each row that escapes.
package enum Exits {
  /// The fate of a call.
  package enum Fate: String, Hashable, Sendable {
    /// It is a violation of `escape`, and the execution ends with the step.
    case escapes
    /// The same, but the call does not happen: the simulator does not know in which order it would.
    case refused
    /// It happens within the simulation.
    case controlled
  }

  package struct Row: Hashable, Sendable {
    /// The function that is called in the end.
    package let name: String
    /// The ways in which Swift programs come to call it.
    package let ways: String
    package let fate: Fate
    /// The effect of the call, and the reason for it.
    package let effect: String
    /// The alternative for a program.
    package let remedy: String
  }

  /// Returns the row of a function; nil if the function is not listed.
  package static func row(of name: String) -> Row? { rows.first { $0.name == name } }

  /// Returns true if the simulator's own definition of this function receives the program's calls.
  package static func isAnswered(_ name: String) -> Bool { unsafe ch_is_answered(name) }

  /// The remedy if jobs have come back from a foreign thread.
  static let remedyOfJobs =
    "a thread that was there before the execution has sent them; give the program a fake that answers in its place"

  /// The remedy if only a thread that was there before the search could go on with the program.
  static let remedyOfThreads =
    "start the thread in the body, or give the program a fake that answers in its place"

  package static let rows =
    queues + sources + waits + blocking + threads + processes + sessions + executors + notLeaving

  static func escaping(_ name: String, _ ways: String, _ effect: String, _ remedy: String) -> Row {
    Row(name: name, ways: ways, fate: .escapes, effect: effect, remedy: remedy)
  }

  private static func controlled(_ name: String, _ ways: String, _ effect: String) -> Row {
    Row(name: name, ways: ways, fate: .controlled, effect: effect, remedy: "Nothing needs to be done")
  }
}

// MARK: - The rows

extension Exits {
  private static let notRun = "its work is not run, because it would run beside the simulation"
  private static let behindTheStep =
    "the step ends here, because no other step can run meanwhile; where steps overlap it waits"

  static func waiting(_ name: String, _ ways: String) -> Row {
    escaping(name, ways, behindTheStep, "let steps overlap, or await a continuation")
  }

  private static let queues = [
    waiting("dispatch_sync", "`DispatchQueue.sync`, where it has to wait and steps are whole"),
    waiting("dispatch_sync_f", "C, where it has to wait and steps are whole"),
    waiting("dispatch_barrier_sync", "`sync(flags: .barrier)`, where it has to wait and steps are whole"),
    waiting("dispatch_barrier_sync_f", "C, where it has to wait and steps are whole"),
    waiting("dispatch_async_and_wait", "`asyncAndWait`, where it has to wait and steps are whole"),
    waiting("dispatch_async_and_wait_f", "C, where it has to wait and steps are whole"),
    waiting("dispatch_barrier_async_and_wait", "C, where it has to wait and steps are whole"),
    waiting("dispatch_barrier_async_and_wait_f", "C, where it has to wait and steps are whole"),
    escaping(
      "dispatch_read", "`DispatchIO.read(fromFileDescriptor:…)`", notRun, "put a fake before the file"),
    escaping(
      "dispatch_write", "`DispatchIO.write(toFileDescriptor:…)`", notRun, "put a fake before the file"),
    escaping("dispatch_io_read", "`DispatchIO.read`", notRun, "put a fake before the file"),
    escaping("dispatch_io_write", "`DispatchIO.write`", notRun, "put a fake before the file"),
    escaping("dispatch_io_barrier", "`DispatchIO.barrier`", notRun, "put a fake before the file"),
    Row(
      name: "dispatch_set_target_queue",
      ways: "`DispatchQueue(label:target:)`, where the target is the main queue",
      fate: .refused, effect: "what comes to it is part of one step of the main queue's",
      remedy: "hand the work to the main queue itself"),
  ]

  private static let noSignal = "the signal never comes, because it would follow the real clock"

  private static let sources = [
    escaping(
      "dispatch_source_create",
      "`DispatchSource` other than a timer, `FileHandle.readabilityHandler`",
      "it never begins, because its handler would run beside the simulation",
      "put a fake before the events"),
    escaping(
      "timerfd_settime", "C", "the timer is not set, because it would follow the real clock",
      "use `Task.sleep`"),
    escaping("alarm", "`alarm`", noSignal, "use `Task.sleep`"),
    escaping("setitimer", "`setitimer`", noSignal, "use `Task.sleep`"),
    escaping("timer_settime", "C", noSignal, "use `Task.sleep`"),
    escaping("ualarm", "`ualarm`", noSignal, "use `Task.sleep`"),
  ]

  private static let forever = "the step ends here, because nothing that is simulated can end the wait"
  private static let neverAnswered =
    "nothing that is simulated can answer: it times out, or the step ends here"
  private static let timesOut = "the wait comes to the end of its time without an answer"
  private static let sleeps = "in whole steps it returns at once, because nothing else runs meanwhile"

  private static let waits = [
    escaping("nanosleep", "`Thread.sleep`", sleeps, "use `Task.sleep`"),
    escaping("clock_nanosleep", "C", sleeps, "use `Task.sleep`"),
    escaping("usleep", "`usleep`", sleeps, "use `Task.sleep`"),
    escaping("sleep", "`sleep`", sleeps, "use `Task.sleep`"),
    escaping("thrd_sleep", "C", sleeps, "use `Task.sleep`"),
    escaping(
      "dispatch_semaphore_wait", "`DispatchSemaphore.wait`, where it has to wait", neverAnswered,
      "await a continuation or a `Task`"),
    escaping(
      "dispatch_group_wait", "`DispatchGroup.wait`, where it has to wait", neverAnswered, "await a task group"
    ),
    escaping(
      "dispatch_block_wait", "`DispatchWorkItem.wait`, where it has to wait", neverAnswered, "await a `Task`"),
    escaping("dispatch_main", "`dispatchMain`", forever, "leave it to the program's `main`"),
    escaping("sem_wait", "C, where it has to wait", forever, "await a continuation or a `Task`"),
    escaping("sem_timedwait", "C, where it has to wait", timesOut, "await a continuation or a `Task`"),
    escaping("sem_clockwait", "C, where it has to wait", timesOut, "await a continuation or a `Task`"),
    escaping("pause", "`pause`", forever, "await a continuation or a `Task`"),
    escaping("sigsuspend", "C", forever, "await a continuation or a `Task`"),
    escaping("sigwait", "`sigwait`, where it has to wait", forever, "await a continuation or a `Task`"),
    escaping("sigwaitinfo", "C, where it has to wait", forever, "await a continuation or a `Task`"),
    escaping("sigtimedwait", "C, where it has to wait", timesOut, "await a continuation or a `Task`"),
    escaping(
      "pthread_cond_wait", "`NSCondition.wait`, `Operation.waitUntilFinished`", forever,
      "await a continuation or a `Task`"),
    escaping(
      "pthread_cond_timedwait", "`NSCondition.wait(until:)`", timesOut, "await a continuation or a `Task`"),
    escaping("poll", "C, where nothing is ready", neverAnswered, "put a fake before the file or the socket"),
    escaping("ppoll", "C, where nothing is ready", neverAnswered, "put a fake before the file or the socket"),
    escaping(
      "select", "C, where nothing is ready", neverAnswered, "put a fake before the file or the socket"),
    escaping(
      "epoll_wait", "`RunLoop.run`, where nothing is ready", neverAnswered,
      "await what the run loop would call back for"),
    escaping(
      "epoll_pwait", "C, where nothing is ready", neverAnswered, "put a fake before the file or the socket"),
    escaping(
      "pselect", "C, where nothing is ready", neverAnswered, "put a fake before the file or the socket"),
  ]

  private static let threads = [
    waiting("pthread_join", "C, where the thread has not ended and steps are whole"),
    waiting("pthread_barrier_wait", "C, where the others have not come and steps are whole"),
  ]

  private static let noProcess = "no process is started, as if the machine had no room for one"

  private static let staysThis = "the call fails, and the process stays what it is"
  private static let staysOpen = "the descriptor stays open: a library, or the test's own process, needs it"

  private static let processes = [
    escaping(
      "posix_spawn", "`Process`, `posix_spawn`, an exit test", noProcess, "put a fake before the process"),
    escaping("posix_spawnp", "`posix_spawnp`", noProcess, "put a fake before the process"),
    escaping("fork", "C", noProcess, "put a fake before the process"),
    escaping("vfork", "C", noProcess, "put a fake before the process"),
    escaping(
      "kill", "`kill`, `killpg`, `sigqueue` and the like, of another process",
      "the signal is not sent, because that process is none of the simulation's",
      "put a fake before the process"),
    escaping(
      "close",
      "`close`, `close_range`, `closefrom` of what the program has not opened, but for its standard streams",
      staysOpen,
      "close what the test has opened, and nothing else"),
    escaping(
      "dup2", "`dup2`, `dup3` over what the program has not opened", staysOpen,
      "copy over what the test has opened, and nothing else"),
    escaping("execve", "`execve`", staysThis, "put a fake before the process"),
    escaping("execv", "`execv`", staysThis, "put a fake before the process"),
    escaping("execvp", "`execvp`", staysThis, "put a fake before the process"),
    escaping("execvpe", "C", staysThis, "put a fake before the process"),
    escaping("fexecve", "C", staysThis, "put a fake before the process"),
    escaping("system", "`system`", noProcess, "put a fake before the process"),
    escaping("popen", "`popen`", noProcess, "put a fake before the process"),
  ]

  private static let sessions = [
    Row(
      name: "URLSession",
      ways: "`URLSession.shared`, and a session made in a simulation, where no `FakeHTTP` "
        + "or `URLProtocol` of the program's answers",
      fate: .refused, effect: "its answers would come from the network",
      remedy: "name a server by `interceptURLSession(in:)` of a `FakeHTTP`, from the product `SimulatorHTTP`"),
    Row(
      name: "Data(contentsOf:)",
      ways: "`Data(contentsOf:)` and `String(contentsOf:)` of a URL that is no file's",
      fate: .refused,
      effect: "its answer would come from the network, also where a `FakeHTTP` answers `URLSession`",
      remedy: "use `data(from:)` of a `URLSession`"),
  ]

  private static let executors = [
    Row(
      name: "swift_once", ways: "a global or `static let` whose initializer needs it itself",
      fate: .refused, effect: "the initializer would wait for its own end, for ever",
      remedy: "let the initializer do without what it makes"),
    Row(
      name: "TaskExecutor",
      ways:
        "an actor without an executor of its own, to which tasks with and without such a preference come at once, where a task begins that has one, or to which the library brings such a task back",
      fate: .refused, effect: "which thread runs the actor's jobs is not followed there",
      remedy: "give the actor an executor of its own, or run the program without the preference"),
    Row(
      name: "SerialExecutor",
      ways:
        "`Simulation.spend` in a job that its executor runs on no serial queue, or whose task prefers an executor",
      fate: .refused, effect: "what the executor runs meanwhile, only it knows",
      remedy: "let the executor run its jobs on a serial queue"),
  ]

  private static let notLeaving = [
    controlled(
      "unownedExecutor", "an actor's own `SerialExecutor`, and one that several actors have",
      "its `enqueue` is called, and each job is run where the program runs it, as part of that step"),
    controlled(
      "withTaskExecutorPreference",
      "a `TaskExecutor` of the program's, `Task(executorPreference:)`",
      "its `enqueue` is called, and each job is run where the program runs it, as part of that step"),
    controlled(
      "pthread_create", "`Thread`",
      "its work is a step, on a thread of its own; others may run before it begins, and where it waits"),
    controlled(
      "CFRunLoopAddTimer", "`Timer.scheduledTimer`, `RunLoop.add`, `RunLoop.perform`",
      "the main queue serves the main run loop; any other fires its timers while its thread runs it, in virtual time"
    ),
    controlled(
      "DispatchQueue", "`async`, `asyncAfter`, barriers, targets, `suspend`, timer sources, `OperationQueue`",
      "each block is a step; a serial queue keeps its order, the main queue is the main actor's, and any other order is tried"
    ),
    controlled(
      "DispatchQueue.sync", "`DispatchQueue.sync`",
      "an idle queue runs the block in place, on the caller; where steps overlap, the caller waits for its turn"
    ),
    controlled(
      "DispatchSemaphore, DispatchGroup", "`wait` that need not wait, `signal`, `enter`, `leave`, `notify`",
      "nothing waits; who is to be told when a group is empty is told on its queue"),
    controlled(
      "DispatchWorkItem", "`cancel`, `notify`, `perform`", "the item knows whether it was done, as ever"),
    controlled(
      "concurrentPerform", "`DispatchQueue.concurrentPerform`",
      "in whole steps the caller does all in order; where steps overlap, four threads share them"),
    controlled("dispatch_once", "`static let`", "the first caller runs it in place"),
    controlled(
      "NSLock, Mutex, OSAllocatedUnfairLock", "a lock that is free",
      "steps are whole, so nothing else has the lock"),
    controlled(
      "clock_gettime, gettimeofday, time", "`Date()`, `ContinuousClock.now`, `DispatchTime.now()`",
      "they answer the virtual time"),
    controlled(
      "getrandom, arc4random, rand", "`random(in:)`, `UUID()`",
      "they answer numbers from the schedule's own seed"),
    controlled("getpid", "`ProcessInfo.processIdentifier`", "it answers the same number in every process"),
  ]
}
