internal import CConcurrencyHooks

// Waits for a signal, a post or a read-write lock, where steps may overlap; and locks that a step still holds when it ends.

extension Scheduler {
  /// The running step waits, until others end that or `instant` has come. Answers whether others have.
  func waits(for subject: Locks.Subject, _ object: UInt, until instant: Int64) -> Bool {
    somethingHappened()
    let thread = unsafe ch_own_baton()
    var timer: UInt32?
    if instant < .max {
      if chooser.followsDependencies { chooser.accessed(.timers, .added) }
      timer = unsafe timers.set(nil, deadline: instant, task: -1)
    }
    var wait = unsafe Locks.Wait(
      thread: thread, subject: subject, object: object, task: currentTask, timer: timer)
    if subject == .once { wait.making = making(of: object) }
    tables.locks.begins(wait)
    // Where a thread of others could end the wait, the program leaves the simulation there.
    stand(waitingFor: wait.key, keepingPlace: subject.exit != nil)
    guard let ended = unsafe tables.locks.ends(thread) else { return false }
    if ended.isFreed, let timer, now < instant { timers.kill(timer) }
    return ended.isFreed
  }

  /// The time of a wait has come. It is over once its step goes on, unless others end it before.
  func timeIsUp(_ timer: UInt32) {
    if let source = tables.sources.source(of: timer) { return fires(source) }
    guard let wait = tables.locks.waits.first(where: { $0.timer == timer }) else { return }
    openedLock(wait.key)
  }

  /// Ends one of the waits for `condition`; false where there is none. Which one is a choice, and the oldest by nature.
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

  /// Ends all waits for `object`. Who waits for a post or a lock tries again, and may come too late.
  func freesAll(_ object: UInt) {
    for index in tables.locks.waiting(for: object) { frees(index) }
  }

  private func frees(_ index: Int) {
    somethingHappened()
    tables.locks.frees(index)
    openedLock(tables.locks.waits[index].key)
  }

  /// What `step` waits for, as a sentence says it; nil where that is a lock that one holds, or its turn.
  func describeWait(of step: Standing.Step) -> String? {
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

  /// Which code makes what this is the predicate of, and in a step of which task.
  private func making(of predicate: UInt) -> (code: UInt, task: Int32)? {
    let making = unsafe ch_making_of(predicate)
    guard let task = unsafe making.task else { return nil }
    return unsafe (making.code, taskIndex(of: task))
  }

  /// What is made once, and by whom.
  private func describeMaking(of wait: Locks.Wait) -> String {
    guard let (code, maker) = wait.making else { return "the initializer of a global" }
    let name = recorder.keepsEvents ? Symbols.name(at: code) : nil
    let who = maker == wait.task ? "it runs itself" : "\(recorder.path(of: maker, self)) runs"
    return "the initializer of \(name ?? "a global"), which \(who)"
  }

  /// Nothing can run. A thread that the simulator has not started could still end a wait for a signal or a post, or one at a
  /// barrier: then the program has left the simulation there.
  func leftByWaiting() -> Bool {
    guard limits.overlaps, queue.offers == 0, timers.isEmpty, ch_others_live(),
      let wait = tables.locks.waits.first(where: mayBeEndedFromOutside), let exit = wait.subject.exit
    else { return false }
    let stack = unsafe tables.standing.stack(wait.thread)
    left(by: exit, from: stack.map { $0 + 1 })
    return hasEscaped
  }

  /// A thread that waits for something to do when the program has ended is not waited for.
  private func mayBeEndedFromOutside(_ wait: Locks.Wait) -> Bool {
    guard wait.subject.exit != nil else { return false }
    let hasEnded = tasks.count > 0 && !tasks[0].isAlive
    return !hasEnded
      || !tables.standing.steps.contains { unsafe $0.thread == wait.thread && isIdleThread($0) }
  }
}

// MARK: - What steps hold

extension Scheduler {
  /// The running step has taken `lock`.
  func holds(_ lock: UInt, _ kind: Locks.Kind) {
    tables.locks.takes(
      unsafe Locks.Held(
        lock: lock, kind: kind, task: currentTask, domain: state.frame.domain, thread: ch_own_baton(),
        depth: 1, stack: hasSpun ? [] : stackOfStep))
  }

  /// The running step has opened `lock`, or does so now. Answers what kind it was.
  func letsGo(_ lock: UInt) -> Locks.Kind? {
    guard let held = tables.locks.letsGo(lock, currentTask) else { return nil }
    if unsafe held.thread == nil, held.domain != state.frame.domain { violates(held, "opens it elsewhere") }
    return held.kind
  }

  /// A step has ended on this thread: its task is suspended or has ended, and another thread may go on with it.
  func judgeHeldLocks() {
    for held in unsafe tables.locks.ended(on: ch_own_baton()) {
      unsafe hooks.pointee.execution.locks_held = 0
      guard !staysOnThread(held.domain) else { continue }
      violates(held, held.task >= 0 && tasks[held.task].isAlive ? "suspends" : "ends")
    }
  }

  /// Whether one thread may run all that runs on the domain: the main actor's, or that of an executor of the program's.
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

  /// Steps that stand are about to be left for good: opens the read-write locks that they hold, which may outlive the
  /// execution.
  func openHeldLocks() {
    for held in tables.locks.held
    where unsafe held.thread != nil && (held.kind == .reading || held.kind == .writing) {
      ch_open_abandoned_read_write_lock(held.lock)
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

/// How many steps wait for it that are not free to go on.
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
  unsafe Scheduler.with(scheduler) { unsafe $0.tables.locks.holdsAny(ch_own_baton()) }
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
