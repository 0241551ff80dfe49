internal import CConcurrencyHooks
internal import CProcesses

// A step that is left in its middle, or waits there, while others run.

extension Scheduler {
  /// The running step has set something free: it may be left here, so that others run before it goes on.
  func mayStand() {
    // The runtime's job for a yield does nothing after it has resumed its task.
    guard !state.isChaining, unsafe state.chained == nil, othersCanRun, unsafe ch_can_stand(hooks) else {
      return
    }
    // What is watched would be seen in the middle of a step, which nobody sees who does not run in its domain.
    if monitors.isWatching {
      state.keptWhole = true
      return
    }
    if chooser.choose(.preemption, options: 2) == 1 { stand(waitingFor: 0) }
  }

  /// Whether what is watched may be looked at: not while a step stands, nor after one has, because then nobody knows which
  /// step has changed what.
  func mayLook() -> Bool {
    if limits.overlaps, !tables.standing.steps.isEmpty { state.isBlurred = true }
    return !state.isBlurred
  }

  /// The running step has to wait for `lock`. False where no step of this execution holds it; else it is worth another try.
  func waits(forLock lock: UInt) -> Bool {
    guard tables.standing.holder(of: lock) != nil, unsafe ch_can_stand(hooks) else { return false }
    stand(waitingFor: lock)
    return true
  }

  /// The same for a lock that names the thread that has it.
  func waits(forLock lock: UInt, of thread: UInt32) -> Bool {
    guard tables.standing.steps.contains(where: { unsafe ch_thread_of($0.thread) == thread }),
      unsafe ch_can_stand(hooks)
    else { return false }
    stand(waitingFor: lock)
    return true
  }

  func tookLock(_ lock: UInt) { tables.standing.took(lock, currentTask) }

  func openedLock(_ lock: UInt) {
    guard tables.standing.opens(lock) else { return }
    for step in tables.standing.opened(lock) { offer(step) }
  }

  /// Whether something is on offer that the running step does not keep from running.
  private var othersCanRun: Bool {
    guard queue.offers > 0 else { return false }
    let domain = state.frame.domain
    return domain == Domains.pool || queue.offers > queue.offers(onDomain: domain)
  }

  // MARK: standing

  /// Answers when the step is to go on.
  private func stand(waitingFor lock: UInt) {
    let frame = state.frame
    let step = unsafe Standing.Step(
      thread: ch_own_baton(), frame: frame, locksHeld: hooks.pointee.execution.locks_held, stack: stackOfStep,
      waitsFor: lock)
    tables.standing.add(step)
    if frame.domain > Domains.pool { closeForStanding(frame.domain) }
    if lock == 0 { offer(step) }
    chooser.endSilence()
    state.frame = .none
    unsafe hooks.pointee.execution.locks_held = 0
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    unsafe ch_stand(hooks)
    state.frame = frame
    unsafe hooks.pointee.execution.locks_held = step.locksHeld
    unsafe flight.pointee.phase = UInt32(CP_STEP)
  }

  private var stackOfStep: [UInt] {
    guard recorder.keepsEvents else { return [] }
    return unsafe [UInt](unsafeUninitializedCapacity: 32) { buffer, count in
      if let base = buffer.baseAddress { count = unsafe ch_callers_of_step(hooks, base, 32) }
    }
  }

  private func closeForStanding(_ domain: Int32) {
    domains.close(domain, holder: Domains.standingStep)
    for slot in queue.slots(onDomain: domain) where queue.isOffered(slot) {
      queue.setOffered(slot, false)
      let arrival = queue.arrival(at: slot)
      domains.hold(arrival.id, on: domain)
      if chooser.follows { chooser.withdrew(candidate(arrival)) }
    }
  }

  /// A step that stands may go on.
  private func offer(_ step: Standing.Step) {
    let id = state.nextID
    state.nextID += 1
    if recorder.keepsEvents { recorder.arrived(id, inStep: state.steps) }
    let arrival = unsafe Arrival(
      job: UnsafeMutableRawPointer(step.thread), identity: 0, implementation: 0, domain: step.frame.domain,
      task: step.frame.task, id: id, kind: .standing, hasLanded: false,
      reopensDomain: step.frame.domain > Domains.pool, isYield: false, priority: 0)
    queue.append(arrival, offer: true)
    if chooser.follows { chooser.offered(candidate(arrival)) }
  }

  // MARK: going on

  /// Lets the step that stands in `slot` go on, once this thread has returned from its loop.
  func goOn(_ slot: Int) {
    let arrival = queue.arrival(at: slot)
    queue.remove(slot)
    state.steps += 1
    state.stepsAtThisInstant += 1
    state.resuming = -1
    state.frame = ExecutionState.Frame(domain: arrival.domain, task: arrival.task)
    if chooser.follows { chooser.took(candidate(arrival)) }
    if arrival.domain != Domains.pool { enter(arrival) }
    note(continuing: arrival)
    let thread = unsafe OpaquePointer(arrival.job)
    if recorder.wantsSteps {
      recorder.sawRest(of: unsafe tables.standing.stack(thread), arrival: arrival.id, self)
    }
    unsafe flight.pointee.steps = UInt64(state.steps)
    unsafe flight.pointee.digest = state.digest
    unsafe flight.pointee.now = now
    if leavesOff(.step) { return }
    _ = unsafe tables.standing.take(thread)
    unsafe tables.standing.heir = thread
  }

  private func note(continuing arrival: Arrival) {
    let path = arrival.task >= 0 ? tasks[arrival.task].path : 1
    let step = path ^ UInt64(bitPattern: Int64(arrival.domain)) ^ 0x5354_414E_4453
    state.digest = Digest.mix(state.digest, step)
    if arrival.task >= 0 { tasks.saw(step, by: arrival.task) }
    if arrival.domain != Domains.pool { domains.saw(step, on: arrival.domain) }
  }

  // MARK: driving

  /// Drives the execution on the calling thread: until it is over, or a step is to go on that stands on another thread.
  func drive() {
    if let ending = loop(limits, Overlapping.self) { self.ending = ending }
  }

  /// The same on a thread that has been made for it.
  func driveElsewhere() {
    drive()
    if let heir = unsafe tables.standing.heir {
      unsafe tables.standing.heir = nil
      unsafe ch_hand_over(heir, false)
    } else {
      handOverToFirst()
    }
  }

  /// The execution is over: the thread that began it goes on, and leaves the step in which it stands.
  func handOverToFirst() {
    guard let first = unsafe firstThread else {
      fatalError("an execution that steps overlap in has a first thread")
    }
    unsafe ch_hand_over(first, tables.standing.stands(first))
  }

  /// Drives the execution on the thread that has begun it, until it is over.
  func driveHere() {
    unsafe firstThread = ch_own_baton()
    drive()
    while let heir = unsafe tables.standing.heir {
      unsafe tables.standing.heir = nil
      unsafe ch_pass(heir)
    }
  }

  /// Leaves every step that still stands; the one on the first thread has been left.
  func leaveStanding() {
    while let step = tables.standing.steps.first {
      _ = unsafe tables.standing.take(step.thread)
      if unsafe step.thread != firstThread { unsafe ch_leave_standing(step.thread) }
    }
    for slot in queue.slots(where: { $0.kind == .standing }) { queue.remove(slot) }
    for domain in domains.closedByStanding { for id in domains.reopen(domain) { release(id) } }
    state.frame = .none
  }
}

/// Whether steps may be left in their middle. Types and not a value, so that the loop of whole steps asks nothing.
protocol StepLevel {
  static var overlaps: Bool { get }
}

enum WholeSteps: StepLevel {
  @inline(__always) static var overlaps: Bool { false }
}

enum Overlapping: StepLevel {
  @inline(__always) static var overlaps: Bool { true }
}

// MARK: - What the C target calls

@_cdecl("simulator_may_stand")
func simulatorMayStand(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.mayStand() }
}

@_cdecl("simulator_drive")
func simulatorDrive(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.driveElsewhere() }
}

@_cdecl("simulator_driver_left")
func simulatorDriverLeft(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) {
    $0.hasLeftStep = true
    $0.handOverToFirst()
  }
}

@_cdecl("simulator_waits_for_lock")
func simulatorWaitsForLock(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.waits(forLock: lock) }
}

@_cdecl("simulator_waits_for_thread")
func simulatorWaitsForThread(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt, _ thread: UInt32) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.waits(forLock: lock, of: thread) }
}

@_cdecl("simulator_took_lock")
func simulatorTookLock(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) {
  unsafe Scheduler.with(scheduler) { $0.tookLock(lock) }
}

@_cdecl("simulator_opened_lock")
func simulatorOpenedLock(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) {
  unsafe Scheduler.with(scheduler) { $0.openedLock(lock) }
}
