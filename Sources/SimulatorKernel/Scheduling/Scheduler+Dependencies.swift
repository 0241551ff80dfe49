internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// What steps have in common, as reported to a strategy that asks for it. The reduced search relies on this being
// complete.

extension Scheduler {
  func relationsOfStep(_ arrival: Arrival) {
    if chooser.followsOrder { orderOfStep(arrival) }
    if chooser.followsDependencies { dependenciesOfStep(arrival) }
  }

  func dependenciesOfStep(_ arrival: Arrival) {
    if arrival.domain == Domains.pool, !state.prioritiesDiffer {
      chooser.beginSilence()
    } else {
      chooser.endSilence()
    }
    if limits.overlaps { chooser.asked(.threads, .read) }
    dependenciesOfSegment(arrival)
  }

  /// Notes the dependencies of a step that begins, or that goes on after it was parked.
  func dependenciesOfSegment(_ arrival: Arrival) {
    unsafe tables.dependencies.randomReads = hooks.pointee.execution.random_reads
    unsafe tables.dependencies.clockReads = hooks.pointee.execution.clock_reads
    if arrival.kind == .parked, arrival.task >= 0 {
      chooser.accessed(.wake(tasks[arrival.task].path), .read)
    }
    if state.prioritiesDiffer, arrival.task >= 0 {
      chooser.accessed(.priority(tasks[arrival.task].path), .read)
    }
    // A drain also runs jobs that have come to the mailbox meanwhile, which is not observed.
    if isDrain(arrival) {
      chooser.accessed(.everything, .exclusive)
    } else if tables.dependencies.hasGroups, let children = tables.dependencies.groupChildren[arrival.task] {
      stepOfParent(arrival.task, of: children)
    }
    guard arrival.domain != Domains.pool else { return }
    if monitors.isWatching { chooser.accessed(.watched, .exclusive) }
    // It matters which arrivals were enqueued when a domain became free only if there are several priorities.
    if tables.dependencies.severalPriorities {
      chooser.accessed(.mailbox(domains[arrival.domain].place), .read)
    }
  }

  private func isDrain(_ arrival: Arrival) -> Bool {
    guard arrival.task >= 0 else { return true }
    // The job of a parked step is its thread.
    return unsafe arrival.kind != .parked && ch_job_kind(arrival.job) == CH_KIND_DRAIN
  }

  func relationsAtEndOfStep(_ arrival: Arrival) {
    if chooser.followsOrder { orderAtEndOfStep(arrival) }
    if chooser.followsDependencies { dependenciesAtEndOfStep(arrival) }
  }

  /// Notes what the step has done that no hook reports: a group cancels its children on request, when its body
  /// throws, and when one of the children of a discarding group throws.
  ///
  /// The cancel of a child that has ended can't be seen, and need not be. The child's end races with the steps of the
  /// task that has the group, so the cancel is seen in the schedules in which the end comes later.
  func dependenciesAtEndOfStep(_ arrival: Arrival) {
    dependenciesAtEndOfSegment()
    endOfWait(arrival)
  }

  /// Notes the dependencies of the running step, which is about to be parked. Such a step does more than wait for
  /// others to end.
  func dependenciesAtParking() {
    dependenciesAtEndOfSegment()
    chooser.endSilence()
    endOfWait(of: state.frame.task, on: state.frame.domain)
  }

  private func dependenciesAtEndOfSegment() {
    if unsafe hooks.pointee.execution.random_reads != tables.dependencies.randomReads {
      chooser.accessed(.randomness, .exclusive)
    }
    if unsafe hooks.pointee.execution.clock_reads != tables.dependencies.clockReads {
      chooser.accessed(.clock, .read)
    }
    if tables.dependencies.hasGroups {
      for task in 0..<Int32(tasks.count) where tasks.takeCancel(task) { cancels(task) }
    }
  }

  func begins(_ task: UnsafeMutableRawPointer, _ index: Int32, by parent: Int32, in group: UInt) {
    // No step causes a timer to fire, and the frame still names the last step.
    if chooser.followsOrder, parent >= 0, !state.isFiring { orders(parent, index) }
    guard chooser.followsDependencies else { return }
    chooser.endSilence()
    guard parent >= 0, unsafe ch_is_child(task) else { return }
    tables.dependencies.children.append((parent, index))
    guard unsafe ch_is_group_child(task) else { return }
    tables.dependencies.groupChildren[parent, default: []].append(index)
    tables.dependencies.joins.groups[index] = group
    tables.dependencies.hasGroups = true
  }

  func ends(_ task: Int32) {
    if chooser.followsOrder { orderOfEnd(task) }
    if chooser.followsDependencies { chooser.accessed(.result(tasks[task].path), .exclusive) }
  }

  func arrives(_ task: Int32, on domain: Int32) {
    if chooser.followsOrder, !state.isFiring { orders(eventTask, task) }
    guard chooser.followsDependencies else { return }
    chooser.endSilence()
    guard domain != Domains.pool else { return }
    chooser.accessed(.mailbox(domains[domain].place), .added)
    guard task >= 0, domains[domain].keepsPriorities else { return }
    let priority = unsafe ch_job_priority(tasks[task].address)
    if let known = tables.dependencies.priority, known != priority {
      tables.dependencies.severalPriorities = true
    }
    tables.dependencies.priority = priority
  }

  func lands(on domain: Int32) { chooser.accessed(.mailbox(domains[domain].place), .exclusive) }
}

// MARK: - Cancellation

// A strategy sees every cancel, even of one that changes nothing: it would have changed something if it had come
// before another cancel, or before the end of the task.

extension Scheduler {
  /// Notes that the running step cancels `task`.
  func cancels(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    guard index >= 0 else { return }
    cancels(index)
    let parent = tasks[index].parent
    // If its group is canceled later, that can no longer be seen.
    if parent >= 0, tables.dependencies.groupChildren[parent]?.contains(index) == true {
      chooser.accessed(.group(tasks[parent].path), .exclusive)
    }
  }

  private func cancels(_ task: Int32) {
    chooser.accessed(.task(tasks[task].path), .exclusive)
    for (parent, child) in tables.dependencies.children where parent == task { cancels(child) }
  }

  /// Notes that the running step asks whether `task`, which is another one, has been canceled.
  func asksWhetherCancelled(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    if index >= 0 { chooser.accessed(.task(tasks[index].path), .read) }
  }
}

// MARK: - Priorities

// The runtime gives a task the priority of a task that waits for it, if that is higher. With it go its children and the task that
// it waits for itself. What such a task then enqueues on an actor comes before what has a lower priority, and the tasks that it
// makes inherit it. So the wait may come before or after each step of the task.

extension Scheduler {
  /// Notes that the running step waits for `task`. O(tasks that depend on it × children made).
  func raisesPriority(of task: Int32) {
    var raised: [Int32] = [task]
    var next = 0
    while next < raised.count {
      let task = raised[next]
      next += 1
      guard tasks[task].isAlive else { continue }
      chooser.accessed(.priority(tasks[task].path), .added)
      for (parent, child) in tables.dependencies.children where parent == task { raised.append(child) }
      // Tasks that wait for each other are a ring.
      if case .task(let other) = wait(of: task), other >= 0, !raised.contains(other) { raised.append(other) }
    }
  }

  /// Notes that the running step makes the first task whose priority is another. Steps before it have noted no priorities.
  func beginsToDifferInPriority() {
    state.prioritiesDiffer = true
    if chooser.followsDependencies { chooser.accessed(.everything, .exclusive) }
  }
}

// MARK: - What is not followed

extension Scheduler {
  /// Notes that the running step shares state through something that strategies are not told of, unless the program has
  /// declared in this step what it accesses.
  func sharesUnseen(by name: String) {
    guard state.unseen == nil, state.declaredAtStep != state.steps else { return }
    state.unseen = name
  }
}

// MARK: - Random numbers

extension Scheduler {
  private static let draws = 1 << 16

  /// Decides which random numbers the program gets, when it first asks for one; 0 for the usual ones.
  func draw() -> Int {
    state.drewNumbers = true
    return chooser.choose(.draw, options: Self.draws)
  }
}

// MARK: - Locks, atomics and continuations

extension Scheduler {
  /// Notes that the running step resumes `task`, which may be parked and not yet suspended.
  func resumes(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    guard index >= 0 else { return }
    // A task that has not suspended yet does not arrive.
    if chooser.followsOrder, !state.isFiring { orders(eventTask, index) }
    guard chooser.followsDependencies, limits.overlaps else { return }
    chooser.accessed(.wake(tasks[index].path), .exclusive)
  }

  /// Notes that the running step uses the object at this address.
  func uses(_ address: UInt, _ access: Strategies.Access) {
    chooser.accessed(tables.dependencies.used.name(of: address), access)
  }

  /// Notes that the running step makes the object at this address.
  func made(_ address: UInt) {
    tables.parked.made(address)
    guard chooser.followsDependencies else { return }
    let maker = currentTask
    tables.dependencies.used.made(address, by: maker >= 0 ? tasks[maker].path : Digest.seed)
  }

  /// Notes that the lock or condition at this address is gone. Whatever is at this address later is a different object.
  func unmade(_ address: UInt) {
    tables.parked.unmade(address)
    tables.dependencies.used.unmade(address)
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_shares_unseen(_ scheduler: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>) {
  unsafe Scheduler.with(scheduler) { unsafe $0.sharesUnseen(by: String(cString: name)) }
}

@c @implementation
func simulator_draw(_ scheduler: UnsafeMutableRawPointer) -> UInt64 {
  unsafe Scheduler.with(scheduler) { UInt64($0.draw()) }
}

@c @implementation
func simulator_frees_seen_object(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.chooser.accessed(.everything, .exclusive) }
}

@c @implementation
func simulator_uses(_ scheduler: UnsafeMutableRawPointer, _ object: UInt, _ onlyReads: Bool) {
  unsafe Scheduler.with(scheduler) { $0.uses(object, onlyReads ? .read : .exclusive) }
}

@c @implementation
func simulator_made(_ scheduler: UnsafeMutableRawPointer, _ object: UInt) {
  unsafe Scheduler.with(scheduler) { $0.made(object) }
}

@c @implementation
func simulator_unmade(_ scheduler: UnsafeMutableRawPointer, _ object: UInt) {
  unsafe Scheduler.with(scheduler) { $0.unmade(object) }
}
