internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Processes of the simulated machine, which may die.
//
// A task of a process that has died is *gone*: its jobs are kept out of the queue, its timers hold up no time, and it
// no longer counts as alive. None of its code runs before the execution is torn down. Then it ends like any other task
// that an execution leaves behind, and nothing is recorded or judged.

extension Scheduler {
  /// Kills the process. If one of its steps is running or parked, that step goes on to where it next suspends.
  func kill(_ process: Processes.Number) {
    guard let acts = tables.processes.die(process) else { return }
    somethingHappened()
    if chooser.followsDependencies { chooser.accessed(.everything, .exclusive) }
    withdrawDead()
    openDead()
    for task in tasks.living where isDead(task) && !isInStep(task) {
      if let timer = tasks.takeSleep(task) { timers.kill(timer) }
      tasks.leave(task)
    }
    timers.kill { isDead($0) }
    for act in acts { act() }
  }

  /// Returns true if the task belongs to a process that has died, and is not what a server does in that process's name.
  @inline(__always)
  func isDead(_ task: Int32) -> Bool {
    task >= 0 && tables.processes.haveDied && !tasks[task].isServed
      && tables.processes.isDead(tasks[task].process)
  }

  /// Keeps a job of a dead process that became runnable.
  @inline(never)
  func withhold(_ arrival: Arrival) {
    var arrival = arrival
    tasks.leave(arrival.task)
    if arrival.domain == Domains.pool, let closed = tables.processes.closedDomain(of: arrival.task) {
      arrival.domain = closed
      arrival.identity = domains[closed].identity
      arrival.implementation =
        unsafe closed == Domains.main ? hooks.pointee.main.implementation : domains[closed].implementation
      arrival.reopensDomain = true
    }
    tables.processes.withhold(arrival)
  }

  /// Puts the jobs of dead processes back into the queue when the execution is over, to run out with the rest.
  func requeueWithheld() {
    guard tables.processes.haveDied else { return }
    tasks.comeBack()
    for arrival in tables.processes.takeWithheld() {
      var arrival = arrival
      arrival.id = state.nextID
      arrival.isEnqueued = false
      state.nextID += 1
      queue.append(arrival, offer: true)
    }
  }

  /// Removes the jobs of dead processes from the queue.
  private func withdrawDead() {
    for task in tasks.living where isDead(task) { withdrawSleepEnd(of: task) }
    for slot in queue.slots(where: { $0.kind != .parked && isDead($0.task) }) {
      let arrival = queue.arrival(at: slot)
      if queue.isOffered(slot), chooser.follows { chooser.withdrew(candidate(arrival)) }
      queue.remove(slot)
      tables.processes.withhold(arrival)
      guard arrival.isEnqueued, let mailbox = domains.mailbox(of: arrival.domain) else { continue }
      for id in mailbox.left(arrival.id, priority: arrival.priority) { release(id) }
    }
  }

  /// Opens the domains that work of dead processes keeps closed.
  private func openDead() {
    guard domains.closed > 0 else { return }
    for task in tasks.living where isDead(task) {
      guard let domain = domains.heldBy(task) else { continue }
      tables.processes.opened(domain, of: task)
      for id in domains.reopen(domain) { release(id) }
    }
  }

  /// Returns true if the task is in the middle of a step.
  private func isInStep(_ task: Int32) -> Bool {
    task == state.frame.task
      || !queue.slots(where: { $0.kind == .parked && $0.task == task }).isEmpty
  }
}
