internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Steps that are kept out because blocked steps keep all threads of their priority.

extension Scheduler {
  /// Keeps out the steps for which no thread is free, and offers them again when one is. The loop calls this between two steps.
  @inline(__always)
  func mindThreads() {
    guard tables.parked.steps.count >= limits.poolThreads || tables.threadPool.areKept else { return }
    keepOut()
  }

  @inline(never)
  private func keepOut() {
    let blocked = tables.parked.steps.filter(isStuck).map(\.frame)
    let released = tables.threadPool.update { priority in
      let ofPriority = blocked.filter { self.priority(keptBy: $0) == priority }
      let blocks = ofPriority.count { tasks[$0.task].isWork }
      return (ofPriority.count - blocks, blocks)
    }
    for id in released {
      // Meanwhile its domain may have closed, or others may have come before it.
      if let slot = queue.slot(of: id), !mustWait(queue.arrival(at: slot)) { release(id) }
    }
    if tables.threadPool.areKept {
      for slot in queue.slots(where: { _ in true }) where queue.isOffered(slot) { keepOut(slot) }
    }
    tables.threadPool.setGrowth {
      unsafe timers.set(nil, deadline: now.addingClamped(PoolThreads.timeToGrow), task: -1)
    } kill: {
      timers.kill($0)
    }
  }

  private func keepOut(_ slot: Int) {
    let arrival = queue.arrival(at: slot)
    guard let priority = priority(neededBy: arrival) else { return }
    let step = PoolThreads.KeptOut(id: arrival.id, isBlock: tasks[arrival.task].isWork)
    guard tables.threadPool.keepOut(step, priority) else { return }
    queue.setOffered(slot, false)
    if chooser.follows { chooser.withdrew(candidate(arrival).keptOut) }
  }

  /// Lets steps begin that are kept out, if the schedule so far has shown that the machine is wider. Called when nothing else
  /// can run.
  func widensPool() -> Bool {
    guard tables.threadPool.areKept, tables.threadPool.widen() else { return false }
    // The reduced search does not know what had begun before.
    if chooser.followsDependencies { state.unseen = state.unseen ?? Self.threadsOfPool }
    keepOut()
    return true
  }

  /// Notes that a step begins, and takes a thread if it runs on one.
  func takesThread(_ arrival: Arrival) {
    guard let priority = priority(of: arrival) else { return }
    if tasks[arrival.task].isWork { tables.threadPool.begins(arrival.task, priority) }
    guard !tables.parked.steps.isEmpty else { return }
    var begun = (tasks: 0, blocks: 0)
    for step in tables.parked.steps where self.priority(keptBy: step.frame) == priority {
      if tasks[step.frame.task].isWork { begun.blocks += 1 } else { begun.tasks += 1 }
    }
    begun.tasks += queue.offers { hasThread($0) && self.priority(of: $0) == priority && $0.id != arrival.id }
    if tasks[arrival.task].isWork { begun.blocks += 1 } else { begun.tasks += 1 }
    tables.threadPool.begun(
      tasks: begun.tasks, steps: begun.tasks + begun.blocks, priority, width: limits.poolThreads)
  }

  /// Notes that the running step is about to block, and keeps its thread if it has one.
  func blocksThread(waitingFor key: UInt) {
    if chooser.followsDependencies { chooser.accessed(.threads, .added) }
    guard let priority = priority(keptBy: state.frame) else { return }
    let couldBeKept = tables.threadPool.blocks(
      state.frame.task, priority, width: limits.poolThreads, forLock: tables.locks.isHeld(key))
    if couldBeKept, chooser.followsDependencies { chooser.accessed(.allThreads, .read) }
  }
}

// MARK: - Who has a thread

extension Scheduler {
  /// Returns true if the steps of this domain run on threads of the global executor, or of Dispatch: it is the global
  /// executor or a default actor.
  private func isOnPool(_ domain: Int32) -> Bool {
    domain == Domains.pool || domain > Domains.main && domains[domain].implementation == 0
  }

  /// Returns the priority of the thread that the step with this frame has; nil if that is another kind of thread.
  func priority(keptBy frame: ExecutionState.Frame) -> UInt8? {
    guard frame.task >= 0, !frame.isWithin, isOnPool(frame.domain) else { return nil }
    if frame.domain != Domains.pool, state.prioritiesDiffer { return nil }
    if tasks[frame.task].isWork { return tables.threadPool.priority(ofBlock: frame.task) }
    return priority(ofTask: frame.task)
  }

  /// Returns the priority of the thread on which a step begins; nil if that is another kind of thread.
  private func priority(of arrival: Arrival) -> UInt8? {
    guard isOnPool(arrival.domain), arrival.kind != .parked, arrival.kind != .sleepEnd, arrival.task >= 0
    else { return nil }
    return tasks[arrival.task].isWork ? priority(ofBlock: arrival.task) : priority(ofTask: arrival.task)
  }

  private func priority(ofTask task: Int32) -> UInt8? {
    guard tasks[task].isAlive else { return nil }
    let priority = unsafe ch_job_priority(tasks[task].address)
    return PoolThreads.priorities.contains(priority) ? priority : nil
  }

  /// Returns the priority of the queue of a block that has not begun; nil for an iteration of `concurrentPerform`.
  private func priority(ofBlock task: Int32) -> UInt8? {
    guard let work = unsafe tables.dispatch.work(of: task), let queue = unsafe work.queue else { return nil }
    if let context = unsafe work.context,
      tables.threadPool.iterations.contains(UInt(bitPattern: context))
    {
      return nil
    }
    return unsafe UInt8(truncatingIfNeeded: ch_quality_of_queue(queue))
  }

  /// Returns the priority of the thread that an arrival needs before it can begin; nil if it needs none, or has one.
  private func priority(neededBy arrival: Arrival) -> UInt8? {
    guard let priority = priority(of: arrival), !arrival.reopensDomain, !hasThread(arrival) else {
      return nil
    }
    // The thread that has run an actor's last step also runs what has come to the actor meanwhile.
    guard arrival.domain == Domains.pool || arrival.id >= domains[arrival.domain].lastEnd else { return nil }
    return priority
  }

  /// Returns true if a task is on its way from the global executor or a default actor to another one of them. It keeps its
  /// thread.
  private func hasThread(_ arrival: Arrival) -> Bool {
    guard arrival.kind == .hop, arrival.task >= 0, unsafe ch_job_kind(arrival.job) != CH_KIND_DRAIN else {
      return false
    }
    return isOnPool(tasks[arrival.task].domain)
  }
}

// MARK: - Blocked steps

extension Scheduler {
  /// Returns true if a parked step waits for something, and no step that has begun can end its wait just by going on.
  func isStuck(_ step: ParkedSteps.Step) -> Bool { isStuck(step, tables.parked.steps.count) }

  private func isStuck(_ step: ParkedSteps.Step, _ limit: Int) -> Bool {
    guard step.waitsFor != 0 else { return false }
    let holders = holders(of: step).compactMap { tables.parked.step(of: $0) }
    return limit == 0 || !holders.contains { !isStuck($0, limit - 1) }
  }

  /// Returns the tasks that hold the lock, or have the queue, that a parked step waits for.
  private func holders(of step: ParkedSteps.Step) -> [Int32] {
    if let wait = unsafe tables.locks.wait(step.thread) {
      switch wait.subject {
      case .reading, .writing: return tables.locks.holders(of: wait.object).map(\.task)
      case .once: return wait.making.map { [$0.task] } ?? []
      default: return []
      }
    }
    guard let queue = tables.dispatch.queue(withTurn: step.waitsFor) else {
      return tables.locks.holders(of: step.waitsFor).map(\.task)
    }
    let callers = unsafe tables.locks.holders(of: UInt(bitPattern: queue.address)).map(\.task)
    guard queue.domain > Domains.pool else { return callers }
    return callers + tables.parked.steps.filter { $0.frame.domain == queue.domain }.map(\.frame.task)
  }
}
