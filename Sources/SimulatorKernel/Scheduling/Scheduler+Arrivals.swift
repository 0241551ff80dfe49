internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// How a job becomes runnable, and where.

extension Scheduler {
  /// Notes that a task left its domain for another, and makes it runnable there.
  @inline(__always)
  func hopped(_ job: UnsafeMutableRawPointer, identity: UInt, implementation: UInt) {
    if implementation == 0, unsafe isDriven(identity, job) { return }
    let domain = domains.index(of: identity, implementation: implementation)
    unsafe arrive(
      job, domain: domain, identity: identity, implementation: implementation, kind: .hop,
      enqueued: enqueuingOfHop(job))
  }

  /// Returns when the hop is enqueued. An immediate task hops in the middle of its maker's step, and is in the other
  /// mailbox before that step goes on.
  @inline(__always)
  private func enqueuingOfHop(_ job: UnsafeMutableRawPointer) -> Enqueuing {
    unsafe taskIndex(of: job) == state.frame.task ? .withNextStep : .atOnce
  }

  /// Makes a new task runnable on the executor of its isolation, or on the pool.
  func started(_ task: UnsafeMutableRawPointer, identity: UInt, implementation: UInt) {
    if state.isMakingWork { return unsafe state.made = task }
    if implementation == 0, unsafe isDriven(identity, task) { return }
    let domain = domains.index(of: identity, implementation: implementation)
    unsafe arrive(
      task, domain: domain, identity: identity, implementation: implementation, kind: .start,
      enqueued: .atOnce)
  }

  func enqueuedOnMain(_ job: UnsafeMutableRawPointer) {
    let main = unsafe hooks.pointee.main
    unsafe arrive(
      job, domain: Domains.main, identity: main.identity, implementation: main.implementation, kind: .hop,
      enqueued: enqueuingOfLibraryJob)
  }

  /// Makes a job of the pool runnable: one that may run anywhere, or the drain of a mailbox that the runtime itself filled.
  func enqueuedOnPool(_ job: UnsafeMutableRawPointer) {
    let kind = unsafe ch_job_kind(job)
    if kind == CH_KIND_TASK {
      if state.isChaining {
        state.isChaining = false
        unsafe state.chained = job
        return
      }
      unsafe arrive(job, domain: Domains.pool, identity: 0, implementation: 0, kind: .wake)
    } else if kind == CH_KIND_YIELD {
      unsafe arrive(job, domain: Domains.pool, identity: 0, implementation: 0, kind: .wake, isYield: true)
    } else {
      let actor = unsafe kind == CH_KIND_DRAIN ? UInt(ch_word(job, Int(CH_DRAIN_ACTOR))) : 0
      if tables.userExecutors.drives(actor) { return unsafe refusesTaskExecutor(job) }
      let domain = domains.index(of: actor, implementation: 0)
      unsafe arrive(
        job, domain: domain, identity: 0, implementation: 0, kind: .hop, enqueued: enqueuingOfLibraryJob,
        resumed: state.resuming)
      state.resuming = -1
    }
  }

  /// The moment at which a job of the library is enqueued. An isolated deinitializer is put into the mailbox in the middle of
  /// the step that releases the object.
  private var enqueuingOfLibraryJob: Enqueuing {
    unsafe hooks.pointee.execution.deinitializing ? .atOnce : .withNextStep
  }
}

// MARK: - Into the queue

extension Scheduler {
  @inline(__always)
  func arrive(
    _ job: UnsafeMutableRawPointer, domain: Int32, identity: UInt, implementation: UInt,
    kind: Strategies.Candidate.Kind, enqueued: Enqueuing = .never, isYield: Bool = false, resumed: Int32 = -1
  ) {
    let task = unsafe resumed >= 0 ? resumed : taskIndex(of: isYield ? yielder(job) : job)
    if state.frame.inFlight != DomainRecord.noneInFlight { enqueueInFlight() }
    if isDead(task) {
      return unsafe withhold(
        Arrival(
          job: job, identity: identity, implementation: implementation, domain: domain, task: task, id: 0,
          kind: kind, isEnqueued: false, reopensDomain: false, isYield: isYield, priority: 0))
    }
    unsafe hooks.pointee.execution.of_step.has_freed = true
    if state.changesObservedAtStep == state.steps { sawArrivalOfObserver(on: domain) }
    let id = state.nextID
    state.nextID += 1
    if recorder.keepsEvents {
      recorder.arrived(id, inStep: state.isFiring || state.frame.domain < 0 ? 0 : state.steps)
    }
    if state.followsCancellations { tables.cancellations.saw(task) }
    if chooser.followsRelations { arrives(task, on: domain) }
    let arrival = unsafe Arrival(
      job: job, identity: identity, implementation: implementation, domain: domain, task: task, id: id,
      kind: kind, isEnqueued: false, reopensDomain: false, isYield: isYield, priority: 0)
    if isYield, mustGiveWay(arrival) {
      queue.append(arrival, offer: false)
    } else if domain == Domains.pool {
      arriveOnPool(arrival)
    } else {
      arriveOnSerialDomain(arrival, enqueued)
    }
  }

  @inline(__always)
  private func arriveOnPool(_ new: Arrival) {
    var arrival = new
    let task = arrival.task
    // A sleeper that wakes before its timer fires was canceled. Nothing waits for the timer anymore.
    if arrival.kind == .wake, task >= 0, let timer = tasks.takeSleep(task), !state.isFiring {
      timers.kill(timer)
      withdrawSleepEnd(of: task)
      if chooser.followsDependencies { chooser.accessed(.timers, .added) }
    }
    if domains.closed > 0, task >= 0, let closed = domains.heldBy(task) {
      arrival.domain = closed
      arrival.identity = domains[closed].identity
      arrival.implementation =
        unsafe closed == Domains.main ? hooks.pointee.main.implementation : domains[closed].implementation
      arrival.reopensDomain = true
      goesOnWithin(&arrival)
    }
    offer(arrival)
  }

  @inline(__always)
  private func arriveOnSerialDomain(_ new: Arrival, _ enqueued: Enqueuing) {
    var arrival = new
    if domains[arrival.domain].keepsPriorities { arrival.priority = unsafe ch_job_priority(arrival.job) }
    let waits = mustWait(arrival)
    enqueue(&arrival, enqueued)
    if waits { queue.append(arrival, offer: false) } else { offer(arrival) }
  }

  @inline(__always)
  func offer(_ arrival: Arrival) {
    queue.append(arrival, offer: true)
    if chooser.follows { chooser.offered(candidate(arrival)) }
  }

  /// Returns the arrival as strategies see it.
  func candidate(_ arrival: Arrival) -> Strategies.Candidate {
    let path: UInt64
    let parent: UInt64
    let code: UInt64
    if arrival.task >= 0 {
      path = tasks[arrival.task].path
      // The step of an executor of the program's may go on when its first task has ended, and been freed.
      code = unsafe tasks[arrival.task].isAlive ? UInt64(ch_resume_offset(tasks[arrival.task].address)) : 0
      let maker = tasks[arrival.task].parent
      parent = maker >= 0 ? tasks[maker].path : 0
    } else {
      (path, parent, code) = (0, 0, 0)
    }
    return Strategies.Candidate(
      id: arrival.id, task: path, parent: parent, domain: Int(arrival.domain),
      place: domains[arrival.domain].place, kind: arrival.isRest ? .parked : arrival.kind, code: code,
      object: Int(arrival.object))
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_enqueued_global(_ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enqueuedOnPool(job) }
}

@c @implementation
func simulator_enqueued_main(_ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enqueuedOnMain(job) }
}

@c @implementation
func simulator_enqueued_later(
  _ scheduler: UnsafeMutableRawPointer, _ job: UnsafeMutableRawPointer, _ delay: Int64
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enqueuedLater(job, delay: delay) }
}
