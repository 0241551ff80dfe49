internal import CConcurrencyHooks
internal import CProcesses

// A step that is left in its middle, or waits there, while others run.

extension Scheduler {
  /// The running step has set something free: it may be left here, so that others run before it goes on.
  func mayStand() {
    let next = takeNext()
    guard canStand else { return }
    if leftAsSpinning() { return }
    let othersCanRun = othersCanRun
    // Who has changed what would not be known where others end while this step stands.
    if monitors.seesEachStep {
      if othersCanRun { state.keptWhole = true }
      return
    }
    let rest = offerRest(before: next)
    guard othersCanRun, chooser.choosePreemption(of: rest?.id) == 1 else {
      if let rest { chooser.took(candidate(rest)) }
      return
    }
    stand(before: next, as: rest)
  }

  /// Whether the running step may be left: the runtime's job for a yield does nothing after it has resumed its task.
  var canStand: Bool {
    unsafe !state.isChaining && state.chained == nil && ch_can_stand(hooks)
  }

  /// Whether what is watched may be looked at: not in the middle of a step, which nobody sees who does not run in its domain.
  /// What is observed is looked at no more after a step has stood, because nobody knows then which step has changed it.
  func mayLook() -> Bool {
    guard limits.overlaps, !tables.standing.steps.isEmpty else { return true }
    if monitors.seesEachStep { state.isBlurred = true }
    return false
  }

  /// The running step has to wait for `lock`. False where no step of this execution holds it; else it is worth another try.
  func waits(forLock lock: UInt) -> Bool {
    guard tables.standing.holder(of: lock) != nil, unsafe ch_can_stand(hooks) else { return false }
    tables.standing.passedOver(state.frame.task, for: lock)
    stand(waitingFor: lock, before: wanted(lock))
    return true
  }

  /// The same for a lock that names the thread that has it.
  func waits(forLock lock: UInt, of thread: UInt32) -> Bool {
    guard let holder = tables.standing.steps.first(where: { unsafe ch_is_thread($0.thread, thread) }),
      unsafe ch_can_stand(hooks)
    else { return false }
    // Who takes one that is free may not have been seen.
    if tables.standing.holder(of: lock) == nil {
      unsafe tables.standing.took(lock, isMutex: true, holder.frame.task, on: holder.thread)
    }
    tables.standing.passedOver(state.frame.task, for: lock)
    stand(waitingFor: lock, isMutex: true, before: wanted(lock, isMutex: true))
    return true
  }

  func tookLock(_ lock: UInt, isMutex: Bool) {
    unsafe tables.standing.took(lock, isMutex: isMutex, currentTask, on: ch_own_baton())
    if chooser.followsParts { chooser.used(Int(number(of: lock, isLock: true))) }
  }

  func openedLock(_ lock: UInt) {
    guard tables.standing.opens(lock) else { return }
    for step in tables.standing.opened(lock) {
      let arrival = offer(step)
      guard tables.standing.isStarved(step) else { continue }
      state.passedOver = arrival.id
      unsafe hooks.pointee.execution.gives_way = true
    }
  }

  /// The running step has opened a lock, and who waits for it goes first: it has been passed over too often.
  func givesWay() {
    unsafe hooks.pointee.execution.gives_way = false
    if canStand { stand(yields: true) }
  }

  /// Whether something is on offer that the running step does not keep from running.
  var othersCanRun: Bool {
    guard queue.offers > 0 else { return false }
    let domain = state.frame.domain
    return domain == Domains.pool || queue.offers > queue.offers(onDomain: domain)
  }

  /// Whether tasks share what only an overlap of steps can show.
  var needsOverlap: Bool { unsafe hooks.pointee.execution.shares }

  // MARK: standing

  /// Answers when the step is to go on. `rest` is what remains of it, where that is on offer already.
  func stand(
    waitingFor lock: UInt = 0, isMutex: Bool = false, keepingPlace: Bool = false,
    before object: UInt32 = 0, as rest: Arrival? = nil, accessing access: Standing.Access? = nil,
    yields: Bool = false
  ) {
    let frame = state.frame
    if chooser.followsDependencies { dependenciesAtStand() }
    let step = unsafe Standing.Step(
      thread: ch_own_baton(), frame: frame, locksHeld: hooks.pointee.execution.locks_held,
      stack: recorder.keepsEvents || keepingPlace ? placesOfStep : [],
      waitsFor: lock, isMutex: isMutex, object: object, access: access)
    tables.standing.add(step)
    if recorder.keepsEvents { recorder.showed(words(for: step), self) }
    if frame.domain > Domains.pool { closeForStanding(frame.domain) }
    if lock == 0 { offer(step, as: rest, yields: yields) }
    chooser.endSilence()
    state.frame = .none
    state.pointsOfStep = 0
    unsafe hooks.pointee.execution.gives_way = false
    if !yields { state.passedOver = nil }
    unsafe hooks.pointee.execution.locks_held = 0
    let mutexesHeld = unsafe hooks.pointee.execution.mutexes_held
    unsafe hooks.pointee.execution.mutexes_held = 0
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    noteStanding()
    // Other steps have frames of their own there, which are gone when this one waits again.
    let place = unsafe hooks.pointee.stands_at
    if let access { unsafe ch_stands_before(hooks, access.address, Int(access.size), access.writes, true) }
    unsafe ch_stand(hooks)
    unsafe hooks.pointee.stands_at = place
    if let access { unsafe ch_stands_before(hooks, access.address, Int(access.size), access.writes, false) }
    noteStanding()
    state.frame = frame
    unsafe hooks.pointee.execution.locks_held = step.locksHeld
    unsafe hooks.pointee.execution.mutexes_held = mutexesHeld
    unsafe hooks.pointee.execution.has_acted = false
    unsafe flight.pointee.phase = UInt32(CP_STEP)
  }

  /// As a line of the trace says it.
  private func words(for step: Standing.Step) -> String {
    if let access = step.access {
      return "is interrupted before it \(access.writes ? "writes" : "reads") memory"
    }
    guard step.waitsFor != 0 else { return "is interrupted in the middle of its step" }
    return "waits for " + (describeWait(of: step) ?? "a lock")
  }

  /// What another process reads when this one stalls. Counted anew each time, so that a step that was left for good in an
  /// earlier execution leaves nothing behind.
  private func noteStanding() {
    unsafe flight.pointee.standing = UInt32(clamping: tables.standing.steps.count)
  }

  /// Where the running step is, and its callers; empty unless events are kept.
  var stackOfStep: [UInt] {
    recorder.keepsEvents ? placesOfStep : []
  }

  var placesOfStep: [UInt] {
    unsafe [UInt](unsafeUninitializedCapacity: 32) { buffer, count in
      if let base = buffer.baseAddress { count = unsafe ch_callers_of_step(hooks, base, 32) }
    }
  }

  func closeForStanding(_ domain: Int32) {
    domains.close(domain, holder: Domains.standingStep)
    for slot in queue.slots(onDomain: domain) where queue.isOffered(slot) {
      queue.setOffered(slot, false)
      let arrival = queue.arrival(at: slot)
      domains.hold(arrival.id, on: domain)
      if chooser.follows { chooser.withdrew(candidate(arrival).heldByStanding) }
    }
  }

  /// A step that stands may go on; `rest` is what remains of it, where a strategy has been told.
  @discardableResult
  private func offer(_ step: Standing.Step, as rest: Arrival? = nil, yields: Bool = false) -> Arrival {
    let arrival = unsafe rest ?? arrival(of: step.frame, on: step.thread, before: step.object)
    if recorder.keepsEvents { recorder.arrived(arrival.id, inStep: state.isFiring ? 0 : state.steps) }
    let waits = yields && mustGiveWay(arrival)
    queue.append(arrival, offer: !waits)
    if chooser.follows, rest == nil, !waits { chooser.offered(candidate(arrival)) }
    return arrival
  }

  // MARK: going on

  /// Lets the step that stands in `slot` go on, once this thread has returned from its loop.
  func goOn(_ slot: Int) {
    let arrival = queue.arrival(at: slot)
    queue.remove(slot)
    enterStep(arrival)
    note(continuing: arrival)
    if chooser.followsDependencies { dependenciesOfSegment(arrival) }
    let thread = unsafe OpaquePointer(arrival.job)
    if recorder.wantsSteps {
      recorder.sawRest(of: unsafe tables.standing.stack(thread), arrival: arrival.id, self)
    }
    tellFlightRecorder()
    if leavesOff(.step) { return }
    _ = unsafe tables.standing.take(thread)
    unsafe tables.standing.heir = thread
  }

  private func note(continuing arrival: Arrival) {
    let path = arrival.task >= 0 ? tasks[arrival.task].path : 1
    let step = path ^ UInt64(bitPattern: Int64(arrival.domain)) ^ 0x5354_414E_4453
    state.digest = Digest.mix(state.digest, step)
    // Where a step is left makes no other behaviour by itself.
    if chooser.followsDependencies { return }
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
      // `driveHere` has set it before any other thread was asked to drive.
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

  /// The step on the stack of this thread has been left for good: opens the locks that it held. They may outlive the
  /// execution.
  func openAbandoned() {
    for lock in unsafe tables.standing.abandoned(on: ch_own_baton()) {
      if lock.isMutex { ch_open_abandoned_mutex(lock.address) } else { ch_open_abandoned(lock.address) }
    }
  }

  /// Leaves every step that still stands; the one on the first thread has been left.
  func leaveStanding() {
    let mutexes = Set(tables.standing.steps.filter(\.isMutex).map(\.waitsFor))
    while let step = tables.standing.steps.first {
      _ = unsafe tables.standing.take(step.thread)
      if unsafe step.thread != firstThread { unsafe ch_leave_standing(step.thread) }
    }
    for mutex in mutexes where mutex != 0 { ch_open_abandoned_mutex(mutex) }
    for slot in queue.slots(where: { $0.kind == .standing }) { queue.remove(slot) }
    for domain in domains.closedByStanding { for id in domains.reopen(domain) { release(id) } }
    state.frame = .none
  }
}
