internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Parks steps, because the schedule preempts them or a lock blocks them, and lets them go on.

extension Scheduler {
  /// Offers a choice to preempt the running step here. The hooks call this after the step has made something runnable.
  func preemptionPoint() {
    let next = takeNext()
    guard canPark else { return }
    unsafe hooks.pointee.execution.of_step.has_freed = false
    if leftAsSpinning() { return }
    let othersCanRun = othersCanRun
    // If other steps ended while this one is parked, there would be no telling which of them made a change.
    if monitors.seesEachStep {
      if othersCanRun { state.keptWhole = true }
      return
    }
    let rest = offerRest(before: next)
    guard othersCanRun, chooser.choosePreemption(of: rest?.id) == 1 else {
      if let rest { chooser.took(candidate(rest)) }
      return
    }
    park(before: next, as: rest)
  }

  /// True if the running step can be parked. The runtime's job for a yield can't: it does nothing after it has resumed its
  /// task.
  var canPark: Bool {
    unsafe !state.isChaining && state.chained == nil && ch_can_park(hooks)
  }

  /// True if invariants may read the state now. They may not while a step is parked: only code in its domain could see that
  /// state. Observations end for good once a step was parked, because there is no telling which step made a change.
  func mayLook() -> Bool {
    guard limits.overlaps, !tables.parked.steps.isEmpty else { return true }
    if monitors.seesEachStep { state.isBlurred = true }
    return false
  }

  /// Parks the running step, which has released a lock, so that a step that keeps losing this lock gets it first.
  func givesWay() {
    unsafe hooks.pointee.execution.gives_way = false
    if canPark { park(yields: true) }
  }

  /// True if a step is on offer that could run beside the running one.
  var othersCanRun: Bool {
    guard queue.offers > 0 else { return false }
    let domain = state.frame.domain
    return domain == Domains.pool || queue.offers > queue.offers(onDomain: domain)
  }

  /// True if tasks share an object whose races only preemptible steps can show.
  var needsOverlap: Bool { unsafe hooks.pointee.execution.shares }

  // MARK: parking

  /// Parks the running step, and returns when it goes on. `rest` is the remainder of the step, if that is on offer already.
  func park(
    waitingFor lock: UInt = 0, isMutex: Bool = false, keepingPlace: Bool = false,
    before object: UInt32 = 0, as rest: Arrival? = nil, accessing access: ParkedSteps.Access? = nil,
    yields: Bool = false
  ) {
    let frame = state.frame
    if chooser.followsDependencies { dependenciesAtParking() }
    if lock != 0 { blocksThread(waitingFor: lock) }
    let step = unsafe ParkedSteps.Step(
      thread: ch_own_driver(), frame: frame,
      stack: recorder.keepsEvents || keepingPlace ? placesOfStep : [],
      waitsFor: lock, isMutex: isMutex, object: object, tries: takeTries(), access: access)
    tables.parked.add(step)
    if recorder.keepsEvents { recorder.showed(words(for: step), self) }
    if frame.domain > Domains.pool { closeForParked(frame.domain) }
    if lock == 0 { offer(step, as: rest, yields: yields) }
    chooser.endSilence()
    state.frame = .none
    state.pointsOfStep = 0
    unsafe hooks.pointee.execution.gives_way = false
    if !yields { state.passedOver = nil }
    var ofStep = unsafe hooks.pointee.execution.of_step
    (ofStep.has_acted, ofStep.has_freed) = (false, false)
    unsafe hooks.pointee.execution.of_step = ch_of_step()
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    noteParked()
    // Other steps set frames of their own there, which are gone when this step is parked again.
    let place = unsafe hooks.pointee.point_frame
    if let access { note(access, isParked: true) }
    unsafe ch_park(hooks)
    unsafe hooks.pointee.point_frame = place
    if let access { note(access, isParked: false) }
    noteParked()
    state.frame = frame
    unsafe hooks.pointee.execution.of_step = ofStep
    unsafe flight.pointee.phase = UInt32(CP_STEP)
  }

  private func note(_ access: ParkedSteps.Access, isParked: Bool) {
    unsafe ch_parks_before_access(hooks, access.address, Int(access.size), access.writes, isParked)
  }

  /// The step's line in the trace.
  private func words(for step: ParkedSteps.Step) -> String {
    if let access = step.access {
      return "is interrupted before it \(access.writes ? "writes" : "reads") memory"
    }
    guard step.waitsFor != 0 else { return "is interrupted in the middle of its step" }
    return "waits for " + (describeWait(of: step) ?? "a lock")
  }

  /// Updates the number of parked steps, which another process reads if this one stalls. It is recomputed each time, so
  /// that a step that was abandoned in an earlier execution doesn't count.
  private func noteParked() {
    unsafe flight.pointee.parked = UInt32(clamping: tables.parked.steps.count)
  }

  /// The preemption point of the running step, and its callers; empty unless events are kept.
  var stackOfStep: [UInt] {
    recorder.keepsEvents ? placesOfStep : []
  }

  var placesOfStep: [UInt] {
    unsafe [UInt](unsafeUninitializedCapacity: 32) { buffer, count in
      if let base = buffer.baseAddress { count = unsafe ch_callers_of_step(hooks, base, 32) }
    }
  }

  func closeForParked(_ domain: Int32) {
    domains.close(domain, holder: Domains.parkedStep)
    for slot in queue.slots(onDomain: domain) where queue.isOffered(slot) {
      queue.setOffered(slot, false)
      let arrival = queue.arrival(at: slot)
      domains.hold(arrival.id, on: domain)
      if chooser.follows { chooser.withdrew(candidate(arrival).heldByParked) }
    }
  }

  /// Makes a parked step runnable. `rest` is its remainder, if a strategy knows that already.
  @discardableResult
  func offer(_ step: ParkedSteps.Step, as rest: Arrival? = nil, yields: Bool = false) -> Arrival {
    let arrival = unsafe rest ?? arrival(of: step.frame, on: step.thread, before: step.object)
    if recorder.keepsEvents { recorder.arrived(arrival.id, inStep: state.isFiring ? 0 : state.steps) }
    let waits = yields && mustGiveWay(arrival)
    queue.append(arrival, offer: !waits)
    if chooser.follows, rest == nil, !waits { chooser.offered(candidate(arrival)) }
    return arrival
  }

  // MARK: going on

  /// Lets the parked step in `slot` go on as soon as this thread has returned from its loop.
  func goOn(_ slot: Int) {
    let arrival = queue.arrival(at: slot)
    queue.remove(slot)
    enterStep(arrival)
    note(continuing: arrival)
    if chooser.followsDependencies { dependenciesOfSegment(arrival) }
    let thread = unsafe OpaquePointer(arrival.job)
    if recorder.wantsSteps {
      recorder.sawRest(of: unsafe tables.parked.stack(thread), arrival: arrival.id, self)
    }
    tellFlightRecorder()
    if leavesOff(.step) { return }
    _ = unsafe tables.parked.take(thread)
    unsafe tables.parked.nextDriver = thread
  }

  private func note(continuing arrival: Arrival) {
    let path = arrival.task >= 0 ? tasks[arrival.task].path : 1
    let step = path ^ UInt64(bitPattern: Int64(arrival.domain)) ^ 0x5354_414E_4453
    state.digest = Digest.mix(state.digest, step)
    // A preemption alone is no different behavior.
    if chooser.followsDependencies { return }
    if arrival.task >= 0 { tasks.saw(step, by: arrival.task) }
    if arrival.domain != Domains.pool { domains.saw(step, on: arrival.domain) }
  }

  // MARK: driving

  /// Drives the execution on the calling thread, until it is over or a step that is parked on another thread goes on.
  func drive() {
    if let ending = loop(limits, Overlapping.self) { self.ending = ending }
  }

  /// Drives the execution on a thread that was made for this, and then wakes the next driver.
  func driveElsewhere() {
    drive()
    if let next = unsafe tables.parked.nextDriver {
      unsafe tables.parked.nextDriver = nil
      unsafe ch_hand_over(next, false)
    } else {
      handOverToFirst()
    }
  }

  /// Hands over to the thread that began the execution, which is over. That thread abandons its parked step.
  func handOverToFirst() {
    guard let first = unsafe firstThread else {
      // `driveHere` has set it before any other thread was asked to drive.
      fatalError("an execution with preemptible steps has a first thread")
    }
    unsafe ch_hand_over(first, tables.parked.isParked(first))
  }

  /// Drives the execution on the thread that began it, until it is over.
  func driveHere() {
    unsafe firstThread = ch_own_driver()
    drive()
    while let next = unsafe tables.parked.nextDriver {
      unsafe tables.parked.nextDriver = nil
      unsafe ch_pass(next)
    }
  }

  /// Abandons every parked step; the one on the first thread has been abandoned before.
  func abandonParked() {
    let mutexes = Set(tables.parked.steps.filter(\.isMutex).map(\.waitsFor))
    while let step = tables.parked.steps.first {
      _ = unsafe tables.parked.take(step.thread)
      if unsafe step.thread != firstThread { unsafe ch_abandon_parked(step.thread) }
    }
    for mutex in mutexes where mutex != 0 { ch_unlock_abandoned(mutex, .word) }
    for slot in queue.slots(where: { $0.kind == .parked }) { queue.remove(slot) }
    for domain in domains.closedByParked { for id in domains.reopen(domain) { release(id) } }
    state.frame = .none
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_preemption_point(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.preemptionPoint() }
}

@c @implementation
func simulator_gives_way(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.givesWay() }
}

@c @implementation
func simulator_drive(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.driveElsewhere() }
}

@c @implementation
func simulator_driver_left(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) {
    $0.hasLeftStep = true
    $0.handOverToFirst()
  }
}
