internal import CConcurrencyHooks
internal import SimulatorCore

// Waits for a signal, a post or a read-write lock, if steps are preemptible; and locks that a step still holds at its end.

extension Scheduler {
  /// Blocks the running step until others end the wait or `instant` has come. Returns true if others have ended it.
  func waits(for subject: Locks.Subject, _ object: UInt, until instant: Int64) -> Bool {
    somethingHappened()
    let thread = unsafe ch_own_driver()
    var timer: UInt32?
    if instant < .max {
      if chooser.followsDependencies { chooser.accessed(.timers, .added) }
      timer = unsafe timers.set(nil, deadline: instant, task: -1)
    }
    var wait = unsafe Locks.Wait(
      thread: thread, subject: subject, object: object, task: currentTask, timer: timer)
    if subject == .once { wait.making = making(of: object) }
    tables.locks.begins(wait)
    // The place is kept if a foreign thread could end the wait: that is where the program escapes.
    park(waitingFor: wait.key, keepingPlace: subject.exit != nil)
    guard let ended = unsafe tables.locks.ends(thread) else { return false }
    if ended.isFreed, let timer, now < instant { timers.kill(timer) }
    return ended.isFreed
  }

  /// Wakes a step whose wait has run out of time. The wait is over once the step goes on, unless others end it before.
  func timeIsUp(_ timer: UInt32) {
    if let source = tables.sources.source(of: timer) { return fires(source) }
    guard let wait = tables.locks.waits.first(where: { $0.timer == timer }) else { return }
    unlocked(wait.key)
  }

  /// Ends one of the waits for `condition`; returns false if there is none. Which one is a choice, and the oldest is natural.
  func signals(_ condition: UInt) -> Bool {
    let waiting = tables.locks.waiting(for: condition)
    guard let oldest = waiting.first else { return false }
    let position = chooser.tape.count
    let taken = waiting[chooser.choose(.signal, options: waiting.count)]
    if taken != oldest, recorder.keepsEvents {
      let (taken, oldest) = (tables.locks.waits[taken], tables.locks.waits[oldest])
      recorder.decided(
        at: position,
        .init(taken: recorder.path(of: taken.task, self), natural: recorder.path(of: oldest.task, self)))
    }
    frees(taken)
    return true
  }

  /// Ends all waits for `object`. A step that waits for a post or a lock tries again, and may come too late.
  func freesAll(_ object: UInt) {
    for index in tables.locks.waiting(for: object) { frees(index) }
  }

  private func frees(_ index: Int) {
    somethingHappened()
    tables.locks.frees(index)
    unlocked(tables.locks.waits[index].key)
  }

  /// Describes, as part of a sentence, what `step` waits for; nil if that is its turn, or a lock that another step holds.
  func describeWait(of step: ParkedSteps.Step) -> String? {
    guard step.waitsFor != 0 else { return nil }
    if let queue = describeQueue(step.waitsFor) { return queue }
    guard let wait = unsafe tables.locks.wait(step.thread) else { return nil }
    switch wait.subject {
    case .signal: return "a signal of its condition"
    case .post: return "a post to its semaphore"
    case .time: return "the end of its sleep"
    case .thread: return "the end of a thread"
    case .barrier: return "others to come to its barrier"
    case .once: return describeMaking(of: wait)
    case .reading, .writing:
      let holders = tables.locks.held.filter { $0.lock == wait.object }.map {
        recorder.path(of: $0.task, self)
      }
      let purpose = wait.subject == .reading ? "to read" : "to write"
      guard !holders.isEmpty else { return "a read-write lock, \(purpose)" }
      return "a read-write lock, \(purpose), that \(holders.joined(separator: " and ")) "
        + (holders.count == 1 ? "holds" : "hold")
    }
  }

  /// Returns the code that makes the object that `predicate` belongs to, and the task whose step runs that code.
  private func making(of predicate: UInt) -> (code: UInt, task: Int32)? {
    let making = unsafe ch_making_of(predicate)
    guard let task = unsafe making.task else { return nil }
    return unsafe (making.code, taskIndex(of: task))
  }

  /// Describes the object that is made once, and the task that makes it.
  private func describeMaking(of wait: Locks.Wait) -> String {
    guard let (code, maker) = wait.making else { return "the initializer of a global" }
    let name = recorder.keepsEvents ? Symbols.name(at: code) : nil
    let who = maker == wait.task ? "it runs itself" : "\(recorder.path(of: maker, self)) runs"
    return "the initializer of \(name ?? "a global"), which \(who)"
  }

  /// Notes an escape if nothing can run, but a thread that the simulator has not started could still end a wait for a
  /// signal, a post or a barrier. Returns true if work has escaped.
  func leftByWaiting() -> Bool {
    guard limits.overlaps, queue.offers == 0, timers.isEmpty, ch_others_live(),
      let wait = tables.locks.waits.first(where: mayBeEndedFromOutside), let exit = wait.subject.exit
    else { return false }
    let stack = unsafe tables.parked.stack(wait.thread)
    left(by: exit, from: stack.map { $0 + 1 })
    return hasEscaped
  }

  /// Returns true if a foreign thread could end the wait. A thread that waits for work doesn't count once the program has
  /// ended.
  private func mayBeEndedFromOutside(_ wait: Locks.Wait) -> Bool {
    guard wait.subject.exit != nil else { return false }
    let hasEnded = tasks.count > 0 && !tasks[0].isAlive
    return !hasEnded
      || !tables.parked.steps.contains { unsafe $0.thread == wait.thread && isIdleThread($0) }
  }
}

// MARK: - What steps hold

extension Scheduler {
  /// Notes that the running step has taken `lock`.
  func holds(_ lock: UInt, _ kind: Locks.Kind) {
    tables.locks.takes(
      unsafe Locks.Held(
        lock: lock, kind: kind, task: currentTask, domain: state.frame.domain, thread: ch_own_driver(),
        depth: 1, stack: hasSpun ? [] : stackOfStep))
  }

  /// Notes that the running step has unlocked `lock`, or is about to. Returns the kind of the lock.
  func letsGo(_ lock: UInt) -> Locks.Kind? {
    guard let held = tables.locks.letsGo(lock, currentTask) else { return nil }
    if unsafe held.thread == nil, held.domain != state.frame.domain { violates(held, "opens it elsewhere") }
    return held.kind
  }

  /// Judges the locks that a step still holds when it ends on this thread: another thread may go on with its task.
  func judgeHeldLocks() {
    for held in unsafe tables.locks.ended(on: ch_own_driver()) {
      unsafe hooks.pointee.execution.locks_held = 0
      guard !staysOnThread(held.domain) else { continue }
      violates(held, held.task >= 0 && tasks[held.task].isAlive ? "suspends" : "ends")
    }
  }

  /// Returns true if one thread may run the whole domain: the main actor's, or that of an executor of the program's.
  private func staysOnThread(_ domain: Int32) -> Bool {
    domain == Domains.main
      || domain > Domains.main && domains[domain].implementation != 0 && !domains[domain].isQueue
  }

  private func violates(_ held: Locks.Held, _ what: String) {
    let name = Invariant.BuiltIn.lockHeldAcrossSuspension
    guard !monitors.findings.contains(where: { $0.invariant == name }) else { return }
    let places = Symbols.places(of: held.stack).flatMap { $0 }.prefix(3).map(\.description)
    monitors.violated(
      name,
      "\(recorder.path(of: held.task, self)) \(what) and still holds \(held.kind.name)"
        + (places.isEmpty ? "" : ", taken at " + places.joined(separator: " <- "))
        + "; only the thread that has taken it may open it, and another one may go on with the task",
      self)
  }

  /// Unlocks the read-write locks that parked steps hold. The steps are about to be abandoned, but the locks may
  /// outlive the execution.
  func unlockHeldLocks() {
    for held in tables.locks.held
    where unsafe held.thread != nil && (held.kind == .reading || held.kind == .writing) {
      ch_unlock_abandoned_read_write_lock(held.lock)
    }
    tables.locks.removeAll()
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_waits(
  _ scheduler: UnsafeMutableRawPointer, _ subject: Int32, _ object: UInt, _ until: Int64
) -> Bool {
  guard let subject = Locks.Subject(rawValue: subject) else { return false }
  return unsafe Scheduler.with(scheduler) { $0.waits(for: subject, object, until: until) }
}

@c @implementation
func simulator_signals(_ scheduler: UnsafeMutableRawPointer, _ condition: UInt) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.signals(condition) }
}

@c @implementation
func simulator_frees(_ scheduler: UnsafeMutableRawPointer, _ object: UInt) {
  unsafe Scheduler.with(scheduler) { $0.freesAll(object) }
}

/// Returns the number of steps that wait for `object` and are not free to go on.
@c @implementation
func simulator_waiting(_ scheduler: UnsafeMutableRawPointer, _ object: UInt) -> Int32 {
  unsafe Scheduler.with(scheduler) { Int32($0.tables.locks.waiting(for: object).count) }
}

@c @implementation
func simulator_is_held(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.tables.locks.isHeld(lock) }
}

@c @implementation
func simulator_holds_any(_ scheduler: UnsafeMutableRawPointer) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.tables.locks.holdsAny(ch_own_driver()) }
}

@c @implementation
func simulator_holds(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt, _ kind: Int32) {
  guard let kind = Locks.Kind(rawValue: kind) else { return }
  unsafe Scheduler.with(scheduler) { $0.holds(lock, kind) }
}

@c @implementation
func simulator_lets_go(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) -> Int32 {
  unsafe Scheduler.with(scheduler) { $0.letsGo(lock)?.rawValue ?? 0 }
}
