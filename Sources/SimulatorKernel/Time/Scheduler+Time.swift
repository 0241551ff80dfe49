internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Timers, and work that takes time.

extension Scheduler {
  /// Sets a timer that makes `job` runnable after `delay` at the earliest. It may be later by up to `tolerance`, plus
  /// as much as sleeps may end late.
  func enqueuedLater(_ job: UnsafeMutableRawPointer, delay: Int64, tolerance: Int64 = 0) {
    somethingHappened()
    let task = unsafe taskIndex(of: job)
    let deadline = now.addingClamped(max(0, delay))
    if delay > 0 { forgetReadsOfSleep() }
    let sleeper = currentTask
    if chooser.followsDependencies { chooser.accessed(.timers, .added) }
    let order: UInt32
    let late = tolerance.addingClamped(limits.timerJitter)
    if late > 0 {
      order = unsafe setRange(job, deadline, deadline.addingClamped(late), task: task)
    } else {
      // The end of the sleep asks an executor of the program, so it is a step of the sleeper.
      let owner = unsafe task < 0 && hooks.pointee.execution.prefers ? sleeper : task
      order = unsafe timers.set(
        job, deadline: deadline, task: owner, sleeper: sleeper,
        nth: tasks.countTimer(of: owner >= 0 ? owner : sleeper))
    }
    if task < 0, sleeper >= 0 { tasks.setSleep(sleeper, order, now: now) }
  }

  /// Takes back the reads of the clock by which a sleep begins. Thousands of sleeps may begin at one moment, and that
  /// is no step that reads the clock over and over.
  private func forgetReadsOfSleep() {
    let reads = unsafe hooks.pointee.execution.reads_there
    unsafe hooks.pointee.execution.reads_there = reads - min(reads, 3)
  }

  /// Moves time to the next instant and wakes every task that is due then. An order choice decides which of their steps
  /// comes first.
  func fireEarliest() {
    let first = timers.next
    let due = tables.locks.waits.isEmpty ? first : endOfTie(from: first)
    if due > now {
      moveTime(to: due)
      state.stepsAtThisInstant = 0
    }
    state.isFiring = true
    while let last = timers.takeOpen(dueAt: due) {
      fireRange(last.range)
      timers.fix(last.timer, at: due)
    }
    if due > first || timers.severalAreDueFirst {
      fireTie(dueAt: due)
    } else {
      while let timer = takeDue(at: due) {
        fire(timer)
        if state.likelyNext >= 0 { prefetchFrames() }
      }
      state.isFiring = false
    }
  }

  /// Fires timers that are due together. Some of their ends may come last.
  @inline(never)
  private func fireTie(dueAt due: Int64) {
    let free = freeTimers(dueAt: due)
    var losers: ContiguousArray<Timer> = []
    while let timer = takeDue(at: due) {
      if losesTie(timer) {
        losers.append(timer)
      } else {
        fire(timer, isFree: !free.isEmpty && free.contains(timer.order))
        if state.likelyNext >= 0 { prefetchFrames() }
      }
    }
    state.isFiring = false
    for loser in losers { offerEnd(of: loser) }
  }

  /// Takes a timer that is due and that is not put off; nil if there is none.
  @inline(__always)
  private func takeDue(at due: Int64) -> Timer? {
    while timers.count > 0, timers.earliest <= due {
      let timer = timers.popFirst()
      if tasks.alive >= Self.many { prefetchTimers() }
      if let range = timers.takeRange(of: timer), !timers.takeDead(timer), isPutOff(range) {
        let late = range.putOff(at: chooser.tape.count - 1, .init(now, state.steps))
        timers.putOff(timer, late, as: open(late))
      } else {
        timers.come(timer, at: due)
        return timer
      }
    }
    return nil
  }

  /// Fires a timer. That of a sleep is a job of the runtime that only resumes the sleeper, so it runs on the spot.
  /// Anything else that was enqueued with a delay arrives now; what is free of Dispatch's, in any order.
  func fire(_ timer: Timer, isFree: Bool = false) {
    somethingHappened()
    if timer.task >= 0, tables.dispatch.takeDelayed(timer.task) {
      handOver(timer.task, isFree: isFree)
    } else if unsafe timer.job == nil {
      if timer.task >= 0 { resume(timer.task) } else { timeIsUp(timer.order, isFree: isFree) }
    } else if timer.task < 0, unsafe !hooks.pointee.execution.prefers,
      unsafe ch_job_kind(timer.job!) == CH_KIND_TASK
    {
      unsafe ch_run_job(timer.job!, ch_executor())
    } else {
      unsafe arrive(
        timer.job!, domain: Domains.pool, identity: 0, implementation: 0, kind: .timer, resumed: timer.task)
    }
  }

  /// Keeps the running step's domain closed for at least `duration`, and up to `tolerance` longer. Then the task that
  /// is about to suspend goes on there at once. Work on the pool closes nothing.
  func spend(_ duration: Int64, tolerance: Int64 = 0) {
    let domain = currentDomain
    let task = currentTask
    if state.frame.isWithin { worksWithin(task) }
    if domain != Domains.pool, task >= 0 {
      close(domain, for: task)
    }
    wait(duration, tolerance: tolerance)
  }

  /// Keeps a domain closed until `task`, which has to arrive on the pool, has run there.
  func close(_ domain: Int32, for task: Int32) {
    domains.close(domain, holder: task)
    if chooser.followsDependencies { chooser.accessed(.mailbox(domains[domain].place), .exclusive) }
    for slot in queue.slots(onDomain: domain) where queue.isOffered(slot) {
      queue.setOffered(slot, false)
      let arrival = queue.arrival(at: slot)
      domains.hold(arrival.id, on: domain)
      if chooser.follows { chooser.withdrew(candidate(arrival)) }
    }
  }

  /// Lets the task that is about to suspend go on after `duration` at the earliest, and up to `tolerance` later.
  func wait(_ duration: Int64, tolerance: Int64) {
    somethingHappened()
    if chooser.followsDependencies { chooser.accessed(.timers, .added) }
    let earliest = now.addingClamped(duration)
    let task = currentTask
    if tolerance > 0 {
      _ = unsafe setRange(nil, earliest, earliest.addingClamped(tolerance), task: task)
    } else {
      unsafe timers.set(nil, deadline: earliest, task: task, nth: tasks.countTimer(of: task))
    }
  }

  private func resume(_ task: Int32) {
    // Safe: the continuation was made by `spend`, which suspended this very task; it is resumed only here.
    unsafe unsafeBitCast(tasks[task].address, to: UnsafeContinuation<Void, Never>.self).resume()
  }
}
