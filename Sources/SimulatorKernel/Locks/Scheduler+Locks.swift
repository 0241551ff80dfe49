internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// What happens to locks if steps are preemptible: who takes one and who waits, what a step still holds at its end, and waits for a
// signal, a post or time.

extension Scheduler {
  /// Blocks the running step until others end the wait or `instant` has come. Returns true if others have ended it.
  func waits(for subject: Locks.Subject, _ object: UInt, until instant: Int64) -> Bool {
    somethingHappened()
    let thread = unsafe ch_own_driver()
    var timer: UInt32?
    if instant < .max {
      if chooser.followsDependencies { chooser.accessed(.timers, .added) }
      let task = currentTask
      timer = unsafe timers.set(
        nil, deadline: instant, task: -1, sleeper: task, nth: tasks.countTimer(of: task))
    }
    var wait = unsafe Locks.Wait(
      thread: thread, subject: subject, object: object, task: currentTask, timer: timer, limit: instant)
    if subject == .once { wait.making = making(of: object) }
    tables.locks.begins(wait)
    // The place is kept if a foreign thread could end the wait: that is where the program escapes.
    park(waitingFor: wait.key, keepingPlace: subject.exit != nil)
    guard let ended = unsafe tables.locks.ends(thread) else { return false }
    if ended.isFreed, let timer, now < instant { timers.kill(timer) }
    return ended.isFreed
  }

  /// Wakes a step whose wait has run out of time. The wait is over once the step goes on, unless others end it before.
  func timeIsUp(_ timer: UInt32, isFree: Bool = false) {
    if let source = tables.sources.source(of: timer) { return fires(source, isFree: isFree) }
    if tables.threadPool.grows(timer) { return }
    guard let wait = tables.locks.waits.first(where: { $0.timer == timer }) else { return }
    wakeBlocked(on: wait.key)
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
    wakeBlocked(on: tables.locks.waits[index].key)
  }

  /// Describes, as part of a sentence, what `step` waits for; nil if that is its turn, or a lock that another step holds.
  func describeWait(of step: ParkedSteps.Step) -> String? {
    guard step.waitsFor != 0 else { return nil }
    if let queue = describeQueue(step.waitsFor) { return queue }
    guard let wait = unsafe tables.locks.wait(step.thread) else { return nil }
    switch wait.subject {
    case .signal: return "a signal of its condition"
    case .post: return "a post to its semaphore"
    case .group: return "the end of all work of its dispatch group"
    case .time, .date: return "the end of its sleep"
    case .runLoop: return "a timer or a source of its run loop"
    case .thread: return "the end of a thread"
    case .barrier: return "others to come to its barrier"
    case .once: return describeMaking(of: wait)
    case .lock: return describe("a lock, until its time limit", heldBy: wait.object)
    case .reading: return describe("a read-write lock, to read", heldBy: wait.object)
    case .writing: return describe("a read-write lock, to write", heldBy: wait.object)
    }
  }

  /// Describes a lock with the tasks that hold it.
  private func describe(_ name: String, heldBy lock: UInt) -> String {
    let holders = tables.locks.holders(of: lock).map { recorder.path(of: $0.task, self) }
    guard !holders.isEmpty else { return name }
    return "\(name), that \(holders.joined(separator: " and ")) \(holders.count == 1 ? "holds" : "hold")"
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
  /// Blocks the running step on `lock`. Returns true if the step should try again, false if no step of this execution holds
  /// it.
  func waits(forLock lock: UInt) -> Bool {
    guard tables.locks.isHeld(lock), unsafe ch_can_park(hooks) else { return false }
    tables.locks.passedOver(state.frame.task, for: lock)
    park(waitingFor: lock, before: wanted(lock))
    return true
  }

  /// Blocks the running step on a lock that names the thread which holds it.
  func waits(forLock lock: UInt, of thread: UInt32) -> Bool {
    guard let holder = tables.parked.steps.first(where: { unsafe ch_is_thread($0.thread, thread) }),
      unsafe ch_can_park(hooks)
    else { return false }
    // The hooks don't see a task that takes a free `Mutex`.
    if !tables.locks.isHeld(lock) {
      tables.locks.took(
        unsafe Locks.Held(
          lock, .word, task: holder.frame.task, domain: holder.frame.domain, thread: holder.thread))
    }
    tables.locks.passedOver(state.frame.task, for: lock)
    park(waitingFor: lock, isMutex: true, before: wanted(lock, isMutex: true))
    return true
  }

  /// Notes that the running step has taken `lock`.
  func took(_ lock: UInt, _ kind: Locks.Kind) {
    let isNamed = kind.name != nil && !hasSpun
    tables.locks.took(
      unsafe Locks.Held(
        lock, kind, task: currentTask, domain: state.frame.domain, thread: ch_own_driver(),
        stack: isNamed ? stackOfStep : []))
    if chooser.followsParts, !kind.isReadWrite { chooser.used(Int(number(of: lock, isLock: true))) }
  }

  /// Notes that the running step has released `lock`, and wakes the steps that wait for it. Returns the kind of the lock.
  func unlocked(_ lock: UInt) -> Locks.Kind {
    guard let held = tables.locks.released(lock, currentTask) else {
      wakeBlocked(on: lock)
      return .library
    }
    if unsafe held.thread == nil, held.domain != state.frame.domain { violates(held, "opens it elsewhere") }
    if held.kind.isReadWrite {
      if !tables.locks.isHeld(lock) { freesAll(lock) }
    } else if held.depth == 0 {
      freesAll(lock)
      wakeBlocked(on: lock)
    }
    return held.kind
  }

  /// Offers the parked steps that wait for `key`. A step that keeps losing its lock to others goes first.
  func wakeBlocked(on key: UInt) {
    for step in tables.parked.takeBlocked(on: key) {
      if chooser.followsDependencies { chooser.accessed(.threads, .exclusive) }
      let arrival = offer(step)
      guard tables.locks.isStarved(step.frame.task) else { continue }
      state.passedOver = arrival.id
      unsafe hooks.pointee.execution.gives_way = true
    }
  }

  /// Judges the locks that a step still holds when it ends on this thread: another thread may go on with its task.
  func judgeHeldLocks() {
    for held in unsafe tables.locks.ended(on: ch_own_driver()) where !staysOnThread(held.domain) {
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
    guard tables.locks.areJudged, let kind = held.kind.name,
      !monitors.findings.contains(where: { $0.invariant == name })
    else { return }
    let places = Symbols.places(of: held.stack).flatMap { $0 }.prefix(3).map(\.description)
    monitors.violated(
      name,
      "\(recorder.path(of: held.task, self)) \(what) and still holds \(kind)"
        + (places.isEmpty ? "" : ", taken at " + places.joined(separator: " <- "))
        + "; only the thread that has taken it may open it, and another one may go on with the task",
      self)
  }

  /// Unlocks what the abandoned step on this thread's stack holds, because these locks may outlive the execution.
  func unlockAbandoned() {
    for held in unsafe tables.locks.ended(on: ch_own_driver()) {
      for _ in 0..<held.depth { ch_unlock_abandoned(held.lock, held.kind) }
    }
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_waits(
  _ scheduler: UnsafeMutableRawPointer, _ subject: ch_wait_subject, _ object: UInt, _ until: Int64
) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.waits(for: subject, object, until: until) }
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
func simulator_is_tried(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.tables.parked.isTried(lock) }
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
func simulator_waits_for_lock(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.waits(forLock: lock) }
}

@c @implementation
func simulator_waits_for_thread(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt, _ thread: UInt32) -> Bool
{
  unsafe Scheduler.with(scheduler) { $0.waits(forLock: lock, of: thread) }
}

@c @implementation
func simulator_took_lock(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt, _ kind: ch_lock_kind) {
  unsafe Scheduler.with(scheduler) { $0.took(lock, kind) }
}

@c @implementation
func simulator_unlocked(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) -> ch_lock_kind {
  unsafe Scheduler.with(scheduler) { $0.unlocked(lock) }
}

@c @implementation
func simulator_abandoned(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.unlockAbandoned() }
}
