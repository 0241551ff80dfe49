internal import CConcurrencyHooks

// Processes of the simulated machine, which may die.
//
// A task of a process that has died is *gone*: its jobs are kept from the queue, its timers hold up no time, and it counts as
// alive no more. Nothing of its code runs before the execution is torn down; then it ends as any other that an execution
// leaves behind, where nothing is recorded or judged.

extension Scheduler {
  /// The process dies. A step of its own that runs, or stands in its middle, goes on to where it next suspends.
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

  /// Whether the task belongs to a process that has died, and is not what a server does in its name.
  @inline(__always)
  func isDead(_ task: Int32) -> Bool {
    task >= 0 && tables.processes.haveDied && !tasks[task].isServed
      && tables.processes.isDead(tasks[task].process)
  }

  /// A job of a dead process became runnable.
  @inline(never)
  func bury(_ arrival: Arrival) {
    var arrival = arrival
    tasks.leave(arrival.task)
    if arrival.domain == Domains.pool, let closed = tables.processes.closedDomain(of: arrival.task) {
      arrival.domain = closed
      arrival.identity = domains[closed].identity
      arrival.implementation =
        unsafe closed == Domains.main ? hooks.pointee.main.implementation : domains[closed].implementation
      arrival.reopensDomain = true
    }
    tables.processes.bury(arrival)
  }

  /// The execution is over: what has died is run out with the rest.
  func exhume() {
    guard tables.processes.haveDied else { return }
    tasks.comeBack()
    for arrival in tables.processes.takeRemains() {
      var arrival = arrival
      arrival.id = state.nextID
      arrival.hasLanded = false
      state.nextID += 1
      queue.append(arrival, offer: true)
    }
  }

  /// Takes out of the queue what is of dead processes.
  private func withdrawDead() {
    for slot in queue.slots(where: { $0.kind != .standing && isDead($0.task) }) {
      let arrival = queue.arrival(at: slot)
      if queue.isOffered(slot), chooser.follows { chooser.withdrew(candidate(arrival)) }
      queue.remove(slot)
      tables.processes.bury(arrival)
      guard arrival.hasLanded, let mailbox = domains.mailbox(of: arrival.domain) else { continue }
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

  /// Whether the task is in the middle of a step.
  private func isInStep(_ task: Int32) -> Bool {
    task == state.frame.task
      || !queue.slots(where: { $0.kind == .standing && $0.task == task }).isEmpty
  }
}
