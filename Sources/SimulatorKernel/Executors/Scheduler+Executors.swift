internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Executors that the program has written. Each is asked to take a job when the runtime would ask it. The job runs where
// the program's code runs it: within the step that this code is part of.

// MARK: - Asking an executor

extension Scheduler {
  /// Returns true if the running task, which goes to an executor of the program's, may be put off, so that others get
  /// there before it asks. Then its step ends here. A task that runs within another step is not put off.
  func putsOff(_ task: UnsafeMutableRawPointer) -> Bool {
    let index = unsafe taskIndex(of: task)
    return unsafe index >= 0 && index == state.frame.task && !state.frame.isWithin && !state.isChaining
      && state.chained == nil && flight.pointee.phase == UInt32(CP_STEP)
  }

  /// Puts off the task of the running step, which is about to ask an executor of the program's. Its domain is closed until
  /// then.
  func setsOut(_ job: UnsafeMutableRawPointer) {
    let domain = state.frame.domain
    guard domain > Domains.pool else {
      return unsafe arrive(job, domain: Domains.pool, identity: 0, implementation: 0, kind: .hop)
    }
    closeForParked(domain)
    let record = domains[domain]
    let implementation =
      unsafe domain == Domains.main ? hooks.pointee.main.implementation : record.implementation
    let id = state.nextID
    state.nextID += 1
    if recorder.keepsEvents { recorder.arrived(id, inStep: state.steps) }
    if state.followsCancellations { tables.cancellations.saw(state.frame.task) }
    chooser.endSilence()
    unsafe offer(
      Arrival(
        job: job, identity: record.identity, implementation: implementation, domain: domain,
        task: state.frame.task, id: id, kind: .hop, isEnqueued: false, reopensDomain: true, isYield: false,
        priority: 0, isRest: true))
  }

  /// Asks an executor to take a job, outside of a step if need be.
  func asksExecutor(_ job: UnsafeMutableRawPointer, _ executor: ch_executor) {
    let (phase, between) = unsafe (flight.pointee.phase, hooks.pointee.execution.between_steps)
    if phase != UInt32(CP_STEP) { unsafe flight.pointee.phase = UInt32(CP_ACTING) }
    unsafe hooks.pointee.execution.between_steps = false
    unsafe ch_enqueue(job, executor)
    unsafe hooks.pointee.execution.between_steps = between
    unsafe flight.pointee.phase = phase
  }
}

// MARK: - Jobs within a step

extension Scheduler {
  /// Runs the job that the program's code runs; if that was asked to run a default actor, all jobs that have come to the
  /// actor.
  func runs(_ run: UnsafeMutablePointer<ch_run>) {
    guard let actor = unsafe tables.userExecutors.takeActor(of: run.pointee.job) else {
      return unsafe runsOne(run)
    }
    var isFirst = true
    while let next = tables.userExecutors.takeJob(of: actor) {
      if !isFirst { ch_goes_on() }
      isFirst = false
      var run = unsafe ch_run(
        job: next.job, serial: ch_executor(identity: actor, implementation: 0), task: next.preference,
        outer: nil)
      unsafe runsOne(&run)
      ch_release_actor(actor)
    }
  }

  /// Takes a task to a default actor that a task executor of the program's is to run.
  func enters(_ actor: UInt, _ job: UnsafeMutableRawPointer) {
    somethingHappened()
    let domain = domains.index(of: actor, implementation: 0)
    chooser.endSilence()
    if chooser.followsDependencies { chooser.accessed(.everything, .exclusive) }
    // Which executor runs the actor's jobs depends on which job came first. That is undecided for jobs in flight.
    if domains.isClosed(domain) || queue.slots(onDomain: domain).contains(where: { _ in true }) {
      return unsafe refusesTaskExecutor(job)
    }
    // The executor is asked for the task, which prefers the executor that is to run the actor.
    if unsafe waits(job, for: actor, hooks.pointee.execution.hop_preference) {
      unsafe asksExecutor(job, ch_executor())
    }
  }

  /// Makes a job wait for the executor that comes to run the actor's jobs. Returns true if one must be asked to come.
  private func waits(
    _ job: UnsafeMutableRawPointer, for actor: UInt, _ preference: ch_executor
  ) -> Bool {
    ch_retain_actor(actor)
    return unsafe tables.userExecutors.add(
      UserExecutors.ActorJob(job: job, preference: preference, priority: ch_job_priority(job)), to: actor)
  }

  /// Returns true if a task executor of the program's is to run the actor: it then also runs this job, which prefers none.
  func isDriven(_ actor: UInt, _ job: UnsafeMutableRawPointer) -> Bool {
    guard tables.userExecutors.drives(actor) else { return false }
    somethingHappened()
    chooser.endSilence()
    if chooser.followsDependencies { chooser.accessed(.everything, .exclusive) }
    _ = unsafe waits(job, for: actor, ch_executor())
    return true
  }

  func refusesTaskExecutor(_ job: UnsafeMutableRawPointer) {
    let stack = unsafe task(behind: job).map { unsafe SuspendedTask.addresses(of: $0) } ?? []
    left(by: "TaskExecutor", from: stack.map { $0 + 1 })
  }

  /// Runs a job that the program's code runs: within the running step, whose domain it shares.
  private func runsOne(_ run: UnsafeMutablePointer<ch_run>) {
    let outer = currentTask
    let task = unsafe taskIndex(of: run.pointee.job)
    if state.frame.inFlight != DomainRecord.noneInFlight { enqueueInFlight() }
    let frame = state.frame
    state.frame = ExecutionState.Frame(
      domain: frame.domain, task: task, firstID: frame.firstID, isWithin: true)
    unsafe tables.dispatch.serves(ch_innermost_queue())
    unsafe begins(task, on: run.pointee.serial, within: outer)
    unsafe ch_run_within(run)
    if chooser.followsOrder { orders(task, outer) }
    if state.followsCancellations, task >= 0 { tables.cancellations.saw(task) }
    let inFlight = state.frame.inFlight
    state.frame = frame
    state.frame.inFlight = inFlight
    state.frame.hasRunOne = true
  }

  private func begins(_ task: Int32, on executor: ch_executor, within outer: Int32) {
    somethingHappened()
    let domain = state.frame.domain
    if chooser.followsOrder { orders(outer, task) }
    if chooser.followsDependencies { dependencies(of: task, on: executor) }
    guard task >= 0 else { return }
    let step = unsafe tasks[task].path ^ UInt64(ch_resume_offset(tasks[task].address)) ^ 0x4558_4543
    state.digest = Digest.mix(state.digest, tasks[task].path ^ UInt64(bitPattern: Int64(domain)))
    tasks.runs(task, on: max(Domains.pool, domain))
    tasks.saw(step, by: task)
    if domain > Domains.pool { domains.saw(step, on: domain) }
    if recorder.keepsEvents { recorder.showed("goes on, run by its executor", self) }
  }

  /// Notes what jobs that the program's executors run have in common. On a domain other than the pool, that is the
  /// domain. On the pool, it is the executor, named by its type because it may be made anew in each execution.
  private func dependencies(of task: Int32, on serial: ch_executor) {
    let executor = serial.identity
    chooser.endSilence()
    if tables.dependencies.hasGroups, task >= 0, let children = tables.dependencies.groupChildren[task] {
      stepOfParent(task, of: children)
    }
    guard executor != 0 else { return }
    if serial.implementation == 0 { return chooser.accessed(.everything, .exclusive) }
    let domain = state.frame.domain
    if !tables.userExecutors.runs(executor, on: domain) { chooser.accessed(.everything, .exclusive) }
    if domain <= Domains.pool { chooser.accessed(.lock(domains.typeName(of: executor)), .exclusive) }
  }

  /// Enqueues the hop that ended a job within the running step. It is no longer in flight, because the step goes on.
  @inline(never)
  func enqueueInFlight() {
    let id = state.frame.inFlight
    state.frame.inFlight = DomainRecord.noneInFlight
    enqueued(id)
  }
}

extension Scheduler {
  /// Notes that the running step hands work to a queue. What it made runnable may have come first, if it leads there too.
  func hands(to queue: DispatchQueues.Queue) {
    guard queue.kind != CH_GLOBAL_QUEUE, !limits.overlaps else { return }
    let user = currentTask
    queue.user = queue.user == -1 || queue.user == user ? user : -2
    if state.nextID != state.frame.firstID { queue.isLate = true }
    if queue.isLate, queue.isExecutors, queue.user == -2 { ch_is_shared() }
  }
}

// MARK: - Work that takes time

extension Scheduler {
  /// Reports an escape: if a job within the running step takes time, only the domain of the step can be kept closed.
  fileprivate func refusesWork() { left(by: "SerialExecutor", from: []) }

  func worksWithin(_ task: Int32) {
    guard state.frame.domain > Domains.pool, unsafe !ch_prefers(hooks) else { return refusesWork() }
    tables.userExecutors.works(task, on: ch_current_executor())
  }

  /// Makes a job whose work is done go on where it was, and not where its executor would run it next.
  func goesOnWithin(_ arrival: inout Arrival) {
    guard let executor = tables.userExecutors.takeExecutor(of: arrival.task) else { return }
    arrival.identity = executor.identity
    arrival.implementation = executor.implementation
  }

  func runOnQueue(_ arrival: Arrival) {
    let executor = ch_executor(identity: arrival.identity, implementation: arrival.implementation)
    // Safe: the queue is a domain of the execution, and lives as long as the execution.
    guard let queue = unsafe UnsafeMutableRawPointer(bitPattern: domains[arrival.domain].identity) else {
      return
    }
    unsafe ch_run_job_on_queue(arrival.job, executor, queue)
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_puts_off(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.putsOff(task) }
}

@c @implementation
func simulator_asks_executor(
  _ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer, _ identity: UInt,
  _ implementation: UInt
) {
  let executor = ch_executor(identity: identity, implementation: implementation)
  unsafe Scheduler.with(scheduler) { unsafe $0.asksExecutor(job, executor) }
}

@c @implementation
func simulator_runs_another(_ scheduler: UnsafeMutableRawPointer) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.state.frame.hasRunOne || $0.state.frame.isWithin }
}

@c @implementation
func simulator_runs_job(_ scheduler: UnsafeMutableRawPointer, _ run: UnsafeMutablePointer<ch_run>) {
  unsafe Scheduler.with(scheduler) { unsafe $0.runs(run) }
}
