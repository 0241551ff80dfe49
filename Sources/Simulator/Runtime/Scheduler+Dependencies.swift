internal import CConcurrencyHooks

// What a strategy that asks for it is told of what steps have in common. The reduced search rests on it being complete.

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
    dependenciesOfSegment(arrival)
  }

  /// A step begins, or goes on after it has stood.
  func dependenciesOfSegment(_ arrival: Arrival) {
    unsafe tables.dependencies.randomReads = hooks.pointee.execution.random_reads
    unsafe tables.dependencies.clockReads = hooks.pointee.execution.clock_reads
    if arrival.kind == .standing, arrival.task >= 0 {
      chooser.accessed(.wake(tasks[arrival.task].path), .read)
    }
    // A drain also runs what has come to the mailbox meanwhile, unseen.
    if isDrain(arrival) {
      chooser.accessed(.everything, .exclusive)
    } else if tables.dependencies.hasGroups, let children = tables.dependencies.groupChildren[arrival.task] {
      stepOfParent(arrival.task, of: children)
    }
    guard arrival.domain != Domains.pool else { return }
    if monitors.isWatching { chooser.accessed(.watched, .exclusive) }
    // Only among several priorities does it count who had landed when a domain became free.
    if tables.dependencies.severalPriorities {
      chooser.accessed(.mailbox(domains[arrival.domain].place), .read)
    }
  }

  private func isDrain(_ arrival: Arrival) -> Bool {
    guard arrival.task >= 0 else { return true }
    // What stands is named by its thread.
    return unsafe arrival.kind != .standing && ch_job_kind(arrival.job) == CH_KIND_DRAIN
  }

  func relationsAtEndOfStep(_ arrival: Arrival) {
    if chooser.followsOrder { orderAtEndOfStep(arrival) }
    if chooser.followsDependencies { dependenciesAtEndOfStep(arrival) }
  }

  /// What the step has done that no hook tells: a group cancels its children when it is told to, when its body throws
  /// and when one of a discarding group throws.
  ///
  /// Of a child that has ended there is nothing to see, and need not be: its end and the steps of the task that has the
  /// group race, and where the end comes later the cancel is seen.
  func dependenciesAtEndOfStep(_ arrival: Arrival) {
    dependenciesAtEndOfSegment()
    endOfWait(arrival)
  }

  /// The running step is about to stand. Then it does not only wait for others to end.
  func dependenciesAtStand() {
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
    if chooser.followsOrder, parent >= 0 { orders(parent, index) }
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
    if chooser.followsOrder { orders(eventTask, task) }
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

// A cancel is told whether or not it changes anything: it would have, had it come before another or before the end of
// the task.

extension Scheduler {
  /// The running step cancels `task`.
  func cancels(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    guard index >= 0 else { return }
    cancels(index)
    let parent = tasks[index].parent
    // Where its group is cancelled later, that is not seen any more.
    if parent >= 0, tables.dependencies.groupChildren[parent]?.contains(index) == true {
      chooser.accessed(.group(tasks[parent].path), .exclusive)
    }
  }

  private func cancels(_ task: Int32) {
    chooser.accessed(.task(tasks[task].path), .exclusive)
    for (parent, child) in tables.dependencies.children where parent == task { cancels(child) }
  }

  /// The running step asks whether `task`, which is another, has been cancelled.
  func asksWhetherCancelled(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    if index >= 0 { chooser.accessed(.task(tasks[index].path), .read) }
  }
}

// MARK: - What is not followed

extension Scheduler {
  /// The running step shares state through something of which a strategy is not told, unless the program has declared in
  /// this step what it accesses.
  func sharesUnseen(by name: String) {
    guard state.unseen == nil, state.declaredAtStep != state.steps else { return }
    state.unseen = name
  }
}

// MARK: - Locks, atomics and continuations

extension Scheduler {
  /// The running step resumes `task`, which may stand, and not be suspended yet.
  func resumes(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    if index >= 0, limits.overlaps { chooser.accessed(.wake(tasks[index].path), .exclusive) }
  }

  /// The running step uses what is at this address.
  func uses(_ address: UInt, _ access: Strategies.SharedObject.Access) {
    chooser.accessed(tables.dependencies.used.name(of: address), access)
  }

  /// The running step makes what is at this address.
  func made(_ address: UInt) {
    tables.standing.made(address)
    guard chooser.followsDependencies else { return }
    let maker = currentTask
    tables.dependencies.used.made(address, by: maker >= 0 ? tasks[maker].path : Digest.seed)
  }

  /// The lock or condition at this address is no more. What comes to lie there is another.
  func unmade(_ address: UInt) {
    tables.standing.unmade(address)
    tables.dependencies.used.unmade(address)
  }
}

// MARK: - Streams

extension Scheduler {
  func streamMade(_ storage: UInt, size: Int) {
    let maker = currentTask
    tables.dependencies.streams.add(storage, size: size, maker: maker >= 0 ? tasks[maker].path : Digest.seed)
  }

  /// The running step takes the lock of a stream.
  func streamReached(_ lock: UInt) {
    chooser.accessed(.stream(tables.dependencies.streams.name(ofLock: lock)), .exclusive)
  }
}
