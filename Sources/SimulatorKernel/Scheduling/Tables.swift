/// A table that grows during an execution and keeps its memory for the next one.
protocol ExecutionTable: AnyObject {
  /// Forgets the execution, and keeps the memory.
  func removeAll()
  /// True if nothing of an execution is left in it.
  var isFresh: Bool { get }
}

/// The tables of one execution. What is not here and not in ``ExecutionState`` outlives the execution.
struct Tables {
  let queue = RunQueue()
  let timers = Timers()
  let tasks = Tasks()
  let domains: Domains
  let results = Results()
  let groups = Groups()
  let anytime = AnytimeActions()
  let cancellations = Cancellations()
  let dependencies = Dependencies()
  let fakeCalls = FakeCalls()
  let escapes = Escapes()
  let userExecutors = UserExecutors()
  let yielders = Yielders()
  let parked = ParkedSteps()
  let meetings = Meetings()
  let threadPool = PoolThreads()
  let locks = Locks()
  let dispatch = DispatchQueues()
  let sources = TimerSources()
  let threads = ProgramThreads()
  let processes = Processes()
  let afterBody = AfterBody()
  let routes = FakeRoutes()

  init(mainIdentity: UInt) {
    domains = Domains(mainIdentity: mainIdentity)
  }

  /// Forgets the execution. Each table is called by name: a loop over all would cost a short execution a hundredth of
  /// its time. A test compares this list with the properties.
  func removeAll() {
    queue.removeAll()
    timers.removeAll()
    tasks.removeAll()
    domains.removeAll()
    results.removeAll()
    groups.removeAll()
    anytime.removeAll()
    cancellations.removeAll()
    dependencies.removeAll()
    fakeCalls.removeAll()
    escapes.removeAll()
    userExecutors.removeAll()
    yielders.removeAll()
    parked.removeAll()
    meetings.removeAll()
    threadPool.removeAll()
    locks.removeAll()
    dispatch.removeAll()
    sources.removeAll()
    threads.removeAll()
    processes.removeAll()
    afterBody.removeAll()
    routes.removeAll()
  }
}
