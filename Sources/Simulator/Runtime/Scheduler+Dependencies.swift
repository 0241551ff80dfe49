internal import CConcurrencyHooks

// What a strategy that asks for it is told of what steps have in common. The reduced search rests on it being complete.

extension Scheduler {
  func dependenciesOfStep(_ arrival: Arrival) {
    unsafe tables.dependencies.randomReads = hooks.pointee.execution.random_reads
    unsafe tables.dependencies.clockReads = hooks.pointee.execution.clock_reads
    if arrival.domain == Domains.pool, !state.prioritiesDiffer {
      chooser.beginSilence()
    } else {
      chooser.endSilence()
    }
    // A drain also runs what has come to the mailbox meanwhile, unseen.
    if unsafe arrival.task < 0 || ch_job_kind(arrival.job) == CH_KIND_DRAIN {
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

  /// What the step has done that no hook tells: a group cancels its children when it is told to, when its body throws
  /// and when one of a discarding group throws.
  ///
  /// Of a child that has ended there is nothing to see, and need not be: its end and the steps of the task that has the
  /// group race, and where the end comes later the cancel is seen.
  func dependenciesAtEndOfStep(_ arrival: Arrival) {
    if unsafe hooks.pointee.execution.random_reads != tables.dependencies.randomReads {
      chooser.accessed(.randomness, .exclusive)
    }
    if unsafe hooks.pointee.execution.clock_reads != tables.dependencies.clockReads {
      chooser.accessed(.clock, .read)
    }
    if tables.dependencies.hasGroups {
      for task in 0..<Int32(tasks.count) where tasks.takeCancel(task) { cancels(task) }
    }
    endOfWait(arrival)
  }

  func begins(_ task: UnsafeMutableRawPointer, _ index: Int32, by parent: Int32, in group: UInt) {
    chooser.endSilence()
    guard parent >= 0, unsafe ch_is_child(task) else { return }
    tables.dependencies.children.append((parent, index))
    guard unsafe ch_is_group_child(task) else { return }
    tables.dependencies.groupChildren[parent, default: []].append(index)
    tables.dependencies.joins.groups[index] = group
    tables.dependencies.hasGroups = true
  }

  func arrives(_ task: Int32, on domain: Int32) {
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
