internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Dispatch queues: the work that is handed to them, and whose turn it is.

extension Scheduler {
  /// Hands `work` to its queue, to be done after `delay` at the earliest, and after what was released to `object`.
  func handedOver(
    _ work: ch_work, delay: Int64 = 0, isCalendar: Bool = false, after object: UInt = 0
  ) {
    // From here on, the queue lives as long as the execution.
    if let address = unsafe work.queue { _ = unsafe queue(at: address) }
    // A single thread of Dispatch hands over delayed work: one item after the other, at some point after it is due.
    if delay > 0 {
      return unsafe handedOver(work, by: ch_timer_queue(), after: delay, isCalendar: isCalendar)
    }
    guard let task = unsafe makeTask(for: work) else { return }
    if object != 0 { acquires(object, by: task) }
    handOver(task)
  }

  /// Hands `work` over from a block on the queue `helper`, which runs after `delay` at the earliest.
  func handedOver(
    _ work: ch_work, by helper: UnsafeMutableRawPointer, after delay: Int64, isCalendar: Bool = false
  ) {
    if let address = unsafe work.queue { tables.dispatch[unsafe queue(at: address)].expected += 1 }
    let later = UnsafeMutablePointer<ch_work>.allocate(capacity: 1)
    unsafe later.initialize(to: work)
    let push = unsafe ch_work(
      block: nil, function: { unsafe Scheduler.push($0) }, context: later, queue: helper, group: nil,
      is_barrier: false)
    guard let task = unsafe makeTask(for: push) else { return }
    guard delay > 0 else { return handOver(task) }
    tables.dispatch.delay(task, timerStamp(isCalendar: isCalendar))
    let job = unsafe tasks[task].address
    unsafe enqueuedLater(job, delay: delay)
  }

  private static func push(_ context: UnsafeMutableRawPointer?) {
    guard let later = unsafe context?.assumingMemoryBound(to: ch_work.self) else { return }
    let work = unsafe later.move()
    unsafe later.deallocate()
    guard let simulation = unsafe ch_get_current() else { return }
    unsafe Scheduler.with(simulation) {
      if let address = unsafe work.queue { $0.tables.dispatch[unsafe $0.queue(at: address)].expected -= 1 }
      unsafe $0.handedOver(work)
    }
  }

  func timerStamp(isCalendar: Bool) -> TimerStamp {
    unsafe TimerStamp(readings: hooks.pointee.execution.clock_reads, isCalendar: isCalendar)
  }

  /// Enqueues a task on the queue of its work, which the task does when its turn comes. If it is free, it does not wait for its
  /// turn.
  func handOver(_ task: Int32, isFree: Bool = false) {
    guard let work = unsafe tables.dispatch.work(of: task), let address = unsafe work.queue else { return }
    let index = unsafe queue(at: address)
    if let item = unsafe ch_work_item_group(work) { usesGroup(UInt(bitPattern: item)) }
    tables.dispatch[index].count += 1
    hands(to: tables.dispatch[index])
    if recorder.keepsEvents {
      recorder.name(task, "work \(tables.dispatch[index].count) of \(tables.dispatch[index].label)")
    }
    let entry = DispatchQueues.Entry(item: .work(task), isBarrier: unsafe work.is_barrier)
    if isFree { begin(entry) } else { push(entry, to: index) }
  }

  /// Returns a new task that does a piece of work once it is enqueued. It inherits nothing: a queue knows no tasks.
  func makeTask(for work: ch_work) -> Int32? {
    somethingHappened()
    state.isMakingWork = true
    unsafe hooks.pointee.execution.creating = true
    Task.detached(priority: TaskPriority(rawValue: state.rootPriority)) {
      guard let simulation = unsafe ch_get_current() else { return }
      unsafe Scheduler.with(simulation) { $0.doWork() }
    }
    unsafe hooks.pointee.execution.creating = false
    state.isMakingWork = false
    guard let made = unsafe state.made else { return nil }
    unsafe state.made = nil
    let task = unsafe taskIndex(of: made)
    unsafe tables.dispatch.set(work, of: task)
    return task
  }

  /// Does the piece of work that belongs to the running step.
  private func doWork() {
    guard let taken = tables.dispatch.take(state.frame.task) else { return }
    let (work, entry) = unsafe (taken.work, taken.entry)
    acquire(entry)
    let item = unsafe ch_work_item_group(work)
    if let item = unsafe item {
      unsafe ch_retain_dispatch(item)
      usesGroup(UInt(bitPattern: item))
    }
    let hasBegun = unsafe taken.mayHaveBegun && ch_is_cancelled_item(work) && choosesStart()
    unsafe ch_do_work(work, hasBegun)
    _ = unsafe ch_leaves_group_of_work(work)
    if let item = unsafe item {
      // A step that waits for a work item waits for its block.
      if let block = unsafe work.block { freesAll(UInt(bitPattern: block)) }
      unsafe leftGroup(item)
      unsafe ch_release_dispatch(item)
    }
    if let entry { ended(entry) }
  }

  /// Returns the address of the code of the work that a job is about to do, or nil for any other job.
  func codeOfWork(_ job: UnsafeMutableRawPointer) -> [UInt]? {
    let task = unsafe taskIndex(of: job)
    return unsafe task < 0 ? nil : tables.dispatch.work(of: task).map { unsafe [ch_code_of_work($0)] }
  }

  // MARK: order

  /// Reports that the running step affects the order of a queue, or depends on it.
  func uses(_ index: DispatchQueues.Index) {
    guard chooser.followsDependencies, tables.dispatch[index].kind != CH_GLOBAL_QUEUE else { return }
    chooser.accessed(.lock(tables.dispatch[index].place), .exclusive)
  }

  func push(_ entry: DispatchQueues.Entry, to index: DispatchQueues.Index) {
    let queue = tables.dispatch[index]
    switch queue.kind {
    case CInt(CH_GLOBAL_QUEUE): begin(entry)
    case CInt(CH_MAIN_QUEUE): begin(entry, onMain: true)
    default:
      uses(index)
      queue.append(entry)
      runNext(index)
    }
  }

  /// Starts the entries that the queue may run now.
  func runNext(_ index: DispatchQueues.Index) {
    let queue = tables.dispatch[index]
    if tables.dispatch.takesTurns(index), queue.turn == nil {
      guard !queue.isEmpty, !queue.isScheduled, !queue.isStopped, let target = queue.target else {
        return
      }
      queue.isScheduled = true
      // Work that is enqueued later may miss this turn.
      ch_is_shared()
      return push(DispatchQueues.Entry(item: .queue(index)), to: target)
    }
    while let next = queue.first, !queue.isStopped, !queue.isExclusive {
      let isAlone = next.isBarrier || tables.dispatch.isSerial(index)
      if isAlone, queue.running > 0 { break }
      start(queue.removeFirst(), isAlone: isAlone, on: index)
    }
    guard let turn = queue.turn, queue.running == 0, queue.isEmpty || queue.isStopped else { return }
    queue.turn = nil
    queue.isScheduled = false
    ended(turn)
    runNext(index)
  }

  private func start(_ entry: DispatchQueues.Entry, isAlone: Bool, on index: DispatchQueues.Index) {
    let queue = tables.dispatch[index]
    queue.running += 1
    queue.isExclusive = isAlone
    var entry = entry
    entry.owners.append(index)
    if let target = queue.target, !tables.dispatch.takesTurns(index) {
      entry.isBarrier = false
      push(entry, to: target)
    } else {
      begin(entry)
    }
  }

  /// Makes the work of a task of its own a candidate, on no queue. It keeps the domain closed until it has begun there.
  func startAtOnce(_ task: Int32, closing domain: Int32) {
    let entry = DispatchQueues.Entry(item: .work(task), isBarrier: false)
    guard domain > Domains.pool else { return begin(entry) }
    tables.dispatch.begins(entry, of: task)
    close(domain, for: task)
    let id = state.nextID
    state.nextID += 1
    if recorder.keepsEvents { recorder.arrived(id, inStep: state.steps) }
    // Like a block on the main queue, it runs on no executor.
    offer(
      unsafe Arrival(
        job: tasks[task].address, identity: 0, implementation: 0, domain: domain, task: task, id: id,
        kind: .start,
        isEnqueued: false, reopensDomain: true, isYield: false, priority: 0))
  }

  /// Begins `entry`, which nothing keeps from running anymore.
  private func begin(_ entry: DispatchQueues.Entry, onMain: Bool = false) {
    switch entry.item {
    case .work(let task):
      tables.dispatch.begins(entry, of: task)
      let job = unsafe tasks[task].address
      // It runs on no executor, as a block does: an isolation check asks the queue.
      let domain =
        onMain ? Domains.main : entry.owners.first.map { tables.dispatch[$0].domain } ?? Domains.pool
      unsafe arrive(
        job, domain: domain, identity: 0, implementation: 0, kind: .start, enqueued: onMain ? .atOnce : .never
      )
    case .queue(let inner):
      tables.dispatch[inner].turn = entry
      runNext(inner)
    case .turn(let key):
      tables.dispatch.begins(entry, turn: DispatchQueues.number(of: key))
      wakeBlocked(on: key)
    }
  }

  /// Notes that the work of `entry` is done, or that the queue in it has nothing left to do in its turn.
  func ended(_ entry: DispatchQueues.Entry) {
    release(entry)
    for index in entry.owners {
      let queue = tables.dispatch[index]
      uses(index)
      queue.running -= 1
      queue.isExclusive = false
      runNext(index)
      if queue.isReleased { endIfUnused(index) }
    }
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_handed_over(
  _ scheduler: UnsafeMutableRawPointer, _ work: ch_work, _ delay: Int64, _ isCalendarTime: Bool
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.handedOver(work, delay: delay, isCalendar: isCalendarTime) }
}

@c @implementation
func simulator_handed_over_by(
  _ scheduler: UnsafeMutableRawPointer, _ work: ch_work, _ helper: UnsafeMutableRawPointer, _ delay: Int64
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.handedOver(work, by: helper, after: delay) }
}
