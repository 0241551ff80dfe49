internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore

// One step, from the moment it is picked until it suspends.

extension Scheduler {
  @inline(__always)
  func run(_ slot: Int) {
    let arrival = queue.arrival(at: slot)
    queue.remove(slot)
    let outer = state.frame
    begin(arrival)
    if tasks.alive >= Self.many { prefetchSteps(after: slot) }
    defer { state.frame = outer }
    if leavesOff(.step) { return }
    unsafe flight.pointee.phase = UInt32(CP_STEP)
    perform(arrival)
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    if state.likelyNext >= 0 { prefetchFrames() }
    end(arrival)
  }

  @inline(__always)
  private func begin(_ arrival: Arrival) {
    enterStep(arrival)
    note(arrival)
    if chooser.followsRelations { relationsOfStep(arrival) }
    if recorder.wantsSteps { unsafe recorder.sawStep(of: arrival.job, arrival: arrival.id, self) }
    tellFlightRecorder()
  }

  /// Makes a step the running one, when it begins or goes on after it was parked.
  @inline(__always)
  func enterStep(_ arrival: Arrival) {
    state.steps += 1
    state.stepsAtThisInstant += 1
    state.resuming = -1
    state.frame = ExecutionState.Frame(
      domain: arrival.domain, task: arrival.task, firstID: state.nextID)
    if chooser.follows { chooser.took(candidate(arrival)) }
    if arrival.domain != Domains.pool { enter(arrival) }
  }

  @inline(__always)
  func tellFlightRecorder() {
    unsafe flight.pointee.steps = UInt64(state.steps)
    unsafe flight.pointee.digest = state.digest
    unsafe flight.pointee.now = now
    unsafe flight.pointee.others = UInt32(truncatingIfNeeded: queue.offers &+ timers.count)
  }

  /// Adds the step to the digest, to what its task did, and to what its domain saw. The pool is left out, because it
  /// orders nothing.
  @inline(__always)
  private func note(_ arrival: Arrival) {
    let domain = UInt64(bitPattern: Int64(arrival.domain))
    guard arrival.task >= 0 else {
      state.digest = Digest.mix(state.digest, domain)
      return domains.saw(1, on: arrival.domain)
    }
    let path = tasks[arrival.task].path
    tasks.runs(arrival.task, on: arrival.domain)
    state.digest = Digest.mix(state.digest, path ^ domain)
    var step = unsafe path ^ UInt64(ch_resume_offset(tasks[arrival.task].address))
    if chooser.followsDependencies { step = tables.dependencies.joins.began(step, of: arrival.task, tasks) }
    tasks.saw(step, by: arrival.task)
    if arrival.domain != Domains.pool, !tasks[arrival.task].onlyFrees {
      domains.saw(step, on: arrival.domain)
    }
  }

  @inline(__always)
  private func perform(_ arrival: Arrival) {
    let job = unsafe arrival.job
    if arrival.isYield {
      unsafe runYield(job)
    } else if domains[arrival.domain].isQueue, arrival.reopensDomain {
      runOnQueue(arrival)
    } else if arrival.identity == 0 {
      unsafe ch_run_job(job, ch_executor())
    } else if arrival.implementation == 0 {
      unsafe ch_run_job_on_actor(job, arrival.identity)
    } else {
      unsafe ch_run_job(
        job, ch_executor(identity: arrival.identity, implementation: arrival.implementation))
    }
  }

  @inline(__always)
  private func end(_ arrival: Arrival) {
    if state.prioritiesDiffer, domains.hasMailbox(arrival.domain) { becameFree(arrival.domain) }
    if chooser.followsRelations { relationsAtEndOfStep(arrival) }
    if leavesOff(.betweenSteps) { return }
    if state.freesLate { freeLate() }
    if timers.count > 0, timers.earliest <= now { fireEarliest() }
    // While the frame still names the step, because changes are reported in its name.
    if monitors.isWatching { monitors.afterStep(self) }
    if state.followsCancellations { tables.cancellations.saw(arrival.task) }
  }

  /// Runs a yield. It is two jobs in the runtime: one that resumes the task, and the task. They are one step, because
  /// nothing can come between them that could not have come before.
  private func runYield(_ job: UnsafeMutableRawPointer) {
    state.idleYields += 1
    state.isChaining = true
    unsafe ch_run_job(job, ch_executor())
    state.isChaining = false
    guard let next = unsafe state.chained else { return }
    unsafe state.chained = nil
    unsafe ch_run_job(next, ch_executor())
  }

  /// Runs the simulator's own code between two steps. Every isolation check succeeds there.
  func betweenSteps<Result>(_ body: () -> Result) -> Result {
    let outer = unsafe hooks.pointee.execution.between_steps
    unsafe hooks.pointee.execution.between_steps = true
    defer { unsafe hooks.pointee.execution.between_steps = outer }
    return body()
  }
}

// MARK: - What the C target calls

/// Returns the number of the running step.
@c @implementation
func simulator_step(_ scheduler: UnsafeMutableRawPointer) -> UInt64 {
  unsafe Scheduler.with(scheduler) { UInt64($0.state.steps) }
}
