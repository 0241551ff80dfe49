internal import CConcurrencyHooks

// Timers, and work that takes time.

extension Scheduler {
  func enqueuedLater(_ job: UnsafeMutableRawPointer, delay: Int64) {
    somethingHappened()
    let task = unsafe taskIndex(of: job)
    let deadline = now.addingClamped(max(0, delay))
    if chooser.followsDependencies { chooser.accessed(.timers, .added) }
    let order = unsafe timers.set(job, deadline: deadline, task: task)
    let sleeper = currentTask
    if task < 0, sleeper >= 0 { tasks.setSleep(sleeper, order) }
  }

  /// Moves time to the earliest deadline and wakes every task that is due then. Which of their steps comes
  /// first is an order choice.
  func fireEarliest() {
    let due = timers.earliest
    if due > now {
      moveTime(to: due)
      state.stepsAtThisInstant = 0
    }
    state.isFiring = true
    while timers.count > 0, timers.earliest == due {
      fire(timers.popFirst())
    }
    state.isFiring = false
  }

  /// A sleep's timer is a job of the runtime's own that does nothing but resume the sleeper: it is run on the
  /// spot. Anything else that was enqueued with a delay arrives now.
  func fire(_ timer: Timer) {
    somethingHappened()
    if unsafe timer.job == nil {
      resume(timer.task)
    } else if timer.task < 0, unsafe ch_job_kind(timer.job!) == CH_KIND_TASK {
      unsafe ch_run_job(timer.job!, ch_executor())
    } else {
      unsafe arrive(timer.job!, domain: Domains.pool, identity: 0, implementation: 0, kind: .timer)
    }
  }

  /// Keeps the running step's domain closed for `duration`, after which the task that is about to suspend goes on
  /// there at once. Work on the pool closes nothing.
  func spend(_ duration: Int64) {
    let domain = currentDomain
    let task = currentTask
    if domain != Domains.pool, task >= 0 {
      domains.close(domain, holder: task)
      if chooser.followsDependencies { chooser.accessed(.mailbox(domains[domain].place), .exclusive) }
      for slot in queue.slots(onDomain: domain) where queue.isOffered(slot) {
        queue.setOffered(slot, false)
        let arrival = queue.arrival(at: slot)
        domains.hold(arrival.id, on: domain)
        if chooser.follows { chooser.withdrew(candidate(arrival)) }
      }
    }
    if chooser.followsDependencies { chooser.accessed(.timers, .added) }
    unsafe timers.set(nil, deadline: now.addingClamped(duration), task: task)
  }

  private func resume(_ task: Int32) {
    // Safe: the continuation was made by `spend`, which suspended this very task; it is resumed only here.
    unsafe unsafeBitCast(tasks[task].address, to: UnsafeContinuation<Void, Never>.self).resume()
  }
}
