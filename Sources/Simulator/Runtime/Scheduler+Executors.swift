internal import CConcurrencyHooks
internal import CProcesses

// Executors that the program has written. Each is asked to take a job where the runtime would ask it, and the job runs where
// the program's code runs it: within a step of whatever that code is a part of.

// MARK: - Setting out

extension Scheduler {
  /// Whether the running task, which goes to an executor of the program's, may set out first, so that others come there
  /// before it asks: then its step ends here. It does not where it is the step of something else.
  func putsOff(_ task: UnsafeMutableRawPointer) -> Bool {
    let index = unsafe taskIndex(of: task)
    return unsafe index >= 0 && index == state.frame.task && !state.frame.isWithin && !state.isChaining
      && state.chained == nil && flight.pointee.phase == UInt32(CP_STEP)
  }

  /// The task of the running step is about to ask an executor of the program's. Until then its domain is not free.
  func setsOut(_ job: UnsafeMutableRawPointer) {
    let domain = state.frame.domain
    guard domain > Domains.pool else {
      return unsafe arrive(job, domain: Domains.pool, identity: 0, implementation: 0, kind: .hop)
    }
    closeForStanding(domain)
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
        task: state.frame.task, id: id, kind: .hop, hasLanded: false, reopensDomain: true, isYield: false,
        priority: 0, isRest: true))
  }

  /// An executor is asked to take a job, outside of a step if need be.
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
  /// The program's code runs a job; or all that have come to a default actor meanwhile, where it was asked to do that.
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

  /// A task comes to a default actor that is to be run by a task executor of the program's.
  func enters(_ actor: UInt, _ job: UnsafeMutableRawPointer) {
    somethingHappened()
    let domain = domains.index(of: actor, implementation: 0)
    chooser.endSilence()
    if chooser.followsDependencies { chooser.accessed(.everything, .exclusive) }
    // Who runs the actor's jobs depends on who came first, which is not decided yet for those that are on their way.
    if domains.isClosed(domain) || queue.slots(onDomain: domain).contains(where: { _ in true }) {
      return unsafe refusesTaskExecutor(job)
    }
    // Asked for the task: it prefers what it would have the actor run by.
    if unsafe waits(job, for: actor, hooks.pointee.execution.hop_preference) {
      unsafe asksExecutor(job, ch_executor())
    }
  }

  /// A job waits until the executor comes to it that runs the jobs of the actor. Whether one must be asked to come.
  private func waits(
    _ job: UnsafeMutableRawPointer, for actor: UInt, _ preference: ch_executor
  ) -> Bool {
    ch_retain_actor(actor)
    return unsafe tables.userExecutors.add(
      UserExecutors.ActorJob(job: job, preference: preference, priority: ch_job_priority(job)), to: actor)
  }

  /// One that prefers nothing comes to an actor that a task executor of the program's is to run: that runs it too.
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

  /// The program's code runs a job: within the running step, whose domain it shares.
  private func runsOne(_ run: UnsafeMutablePointer<ch_run>) {
    let outer = currentTask
    let task = unsafe taskIndex(of: run.pointee.job)
    if state.frame.departure != DomainRecord.noDeparture { landDeparture() }
    let frame = state.frame
    state.frame = ExecutionState.Frame(
      domain: frame.domain, task: task, firstID: frame.firstID, isWithin: true)
    unsafe tables.dispatch.serves(ch_innermost_queue())
    unsafe begins(task, on: run.pointee.serial, within: outer)
    unsafe ch_run_within(run)
    if chooser.followsOrder { orders(task, outer) }
    if state.followsCancellations, task >= 0 { tables.cancellations.saw(task) }
    let departure = state.frame.departure
    state.frame = frame
    state.frame.departure = departure
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

  /// On a domain that is no pool, what runs has that in common. Else the executor stands for what its jobs share, by its type,
  /// because it may be made anew in each execution.
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

  /// The hop that a job has ended with which the running step ran has landed, for the step goes on.
  @inline(never)
  func landDeparture() {
    let id = state.frame.departure
    state.frame.departure = DomainRecord.noDeparture
    landed(id)
  }
}

extension Scheduler {
  /// The running step hands work to a queue. What it has set free before may have come first, where it leads there too.
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
  /// A job that the running step runs takes time: the domain of the step is kept closed, and nothing else.
  fileprivate func refusesWork() { left(by: "SerialExecutor", from: []) }

  func worksWithin(_ task: Int32) {
    guard state.frame.domain > Domains.pool, unsafe !ch_prefers(hooks) else { return refusesWork() }
    tables.userExecutors.works(task, on: ch_current_executor())
  }

  /// The work of a job is done; it goes on where it was, and not where its executor would run it next.
  func goesOnWithin(_ arrival: inout Arrival) {
    guard let executor = tables.userExecutors.takeExecutor(of: arrival.task) else { return }
    arrival.identity = executor.identity
    arrival.implementation = executor.implementation
  }

  func runOnQueue(_ arrival: Arrival) {
    let executor = ch_executor(identity: arrival.identity, implementation: arrival.implementation)
    // Safe: the queue lives as long as the execution, in which it is a domain.
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
