internal import CConcurrencyHooks
internal import CProcesses

// Executors that the program has written. Each is asked to take a job where the runtime would ask it, and the job runs where
// the program's code runs it: within a step of whatever that code is a part of.

/// Where the serial executors of the program's run their jobs.
final class UserExecutors: ExecutionTable {
  private var domains: [UInt: Int32] = [:]
  var isFresh: Bool { domains.isEmpty }

  func removeAll() {
    if !domains.isEmpty { domains.removeAll(keepingCapacity: true) }
  }

  /// Whether the executor has run jobs nowhere else. O(1).
  func runs(_ executor: UInt, on domain: Int32) -> Bool {
    guard let known = domains[executor] else {
      domains[executor] = domain
      return true
    }
    return known == domain
  }
}

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
  /// The program's code runs a job: within the running step, whose domain it shares.
  func runs(_ run: UnsafeMutablePointer<ch_run>) {
    let outer = currentTask
    let task = unsafe taskIndex(of: run.pointee.job)
    if state.frame.departure != DomainRecord.noDeparture { landDeparture() }
    let frame = state.frame
    state.frame = ExecutionState.Frame(domain: frame.domain, task: task, isWithin: true)
    begins(task, on: unsafe run.pointee.serial.identity, within: outer)
    unsafe ch_run_within(run)
    if chooser.followsOrder { orders(task, outer) }
    if state.followsCancellations, task >= 0 { tables.cancellations.saw(task) }
    let departure = state.frame.departure
    state.frame = frame
    state.frame.departure = departure
    state.frame.hasRunOne = true
  }

  private func begins(_ task: Int32, on executor: UInt, within outer: Int32) {
    somethingHappened()
    let domain = state.frame.domain
    if chooser.followsOrder { orders(outer, task) }
    if chooser.followsDependencies { dependencies(of: task, on: executor) }
    guard task >= 0 else { return }
    var step = tasks[task].path ^ UInt64(bitPattern: Int64(domain)) ^ 0x4558_4543
    state.digest = Digest.mix(state.digest, step)
    unsafe step ^= UInt64(ch_resume_offset(tasks[task].address))
    tasks.runs(task, on: max(Domains.pool, domain))
    tasks.saw(step, by: task)
    if domain > Domains.pool { domains.saw(step, on: domain) }
    if recorder.keepsEvents { recorder.showed("goes on, run by its executor", self) }
  }

  /// On a domain that is no pool, what runs has that in common. Else the executor stands for what its jobs share, by its type,
  /// because it may be made anew in each execution.
  private func dependencies(of task: Int32, on executor: UInt) {
    chooser.endSilence()
    if tables.dependencies.hasGroups, task >= 0, let children = tables.dependencies.groupChildren[task] {
      stepOfParent(task, of: children)
    }
    guard executor != 0 else { return }
    let domain = state.frame.domain
    if !tables.userExecutors.runs(executor, on: domain) { chooser.accessed(.everything, .exclusive) }
    if domain <= Domains.pool { chooser.accessed(.lock(Domains.typeName(of: executor)), .exclusive) }
  }

  /// The hop that a job has ended with which the running step ran has landed, for the step goes on.
  @inline(never)
  func landDeparture() {
    let id = state.frame.departure
    state.frame.departure = DomainRecord.noDeparture
    landed(id)
  }
}

// MARK: - What the C target calls

@_cdecl("simulator_puts_off")
func simulatorPutsOff(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.putsOff(task) }
}

@_cdecl("simulator_asks_executor")
func simulatorAsksExecutor(
  _ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer, _ identity: UInt,
  _ implementation: UInt
) {
  let executor = ch_executor(identity: identity, implementation: implementation)
  unsafe Scheduler.with(scheduler) { unsafe $0.asksExecutor(job, executor) }
}

@_cdecl("simulator_runs_another")
func simulatorRunsAnother(_ scheduler: UnsafeMutableRawPointer) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.state.frame.hasRunOne || $0.state.frame.isWithin }
}

@_cdecl("simulator_runs_job")
func simulatorRunsJob(_ scheduler: UnsafeMutableRawPointer, _ run: UnsafeMutablePointer<ch_run>) {
  unsafe Scheduler.with(scheduler) { unsafe $0.runs(run) }
}
