internal import CConcurrencyHooks

// Work on a Dispatch queue that the caller waits for.

extension Scheduler {
  // MARK: sync

  /// Enters a queue for the running step, which calls `sync`. Returns the step's turn, to be passed to ``leavesQueue(_:)``; 0
  /// if there is nothing to leave; or -1 if the step would have to wait but no other step can run.
  func entersQueue(_ address: UnsafeMutableRawPointer, isBarrier: Bool) -> Int {
    let index = unsafe queue(at: address)
    let queue = tables.dispatch[index]
    if queue.kind == CH_GLOBAL_QUEUE { return 0 }
    uses(index)
    let (number, key) = tables.dispatch.newTurn()
    let entry = DispatchQueues.Entry(item: .turn(key), isBarrier: isBarrier)
    if queue.kind == CH_MAIN_QUEUE { return entersMain(number) }
    guard isFree(index, for: entry) else {
      guard limits.overlaps, unsafe ch_can_park(hooks) else { return -1 }
      push(entry, to: index)
      if !tables.dispatch.hasBegun(number) { park(waitingFor: key) }
      acquire(tables.dispatch.turn(number))
      return number
    }
    push(entry, to: index)
    acquire(tables.dispatch.turn(number))
    return number
  }

  /// Returns true if an entry that came now would run at once.
  private func isFree(_ index: DispatchQueues.Index, for entry: DispatchQueues.Entry) -> Bool {
    var (next, isBarrier): (DispatchQueues.Index?, Bool) = (index, entry.isBarrier)
    while let each = next {
      let queue = tables.dispatch[each]
      guard queue.kind != CH_GLOBAL_QUEUE else { return true }
      guard queue.isEmpty, !queue.isExclusive, !queue.isStopped, !queue.isScheduled else {
        return false
      }
      if queue.running > 0, isBarrier || tables.dispatch.isSerial(each) { return false }
      (next, isBarrier) = (queue.target, false)
    }
    return true
  }

  func leavesQueue(_ number: Int) {
    guard let entry = tables.dispatch.takeTurn(number) else { return }
    if entry.owners.isEmpty { return leavesMain(number) }
    ended(entry)
  }

  /// Enters the main queue, which runs the caller's block on the main thread when its turn comes.
  private func entersMain(_ number: Int) -> Int {
    if state.frame.domain != Domains.main, !domains.isClosed(Domains.main),
      queue.slots(onDomain: Domains.main).isEmpty
    {
      if state.frame.domain >= 0 { closeMain() }
      acquires(mainObject)
      tables.dispatch.begins(.init(item: .turn(0)), turn: number)
      return number
    }
    guard state.frame.domain >= 0, limits.overlaps, unsafe ch_can_park(hooks) else { return -1 }
    // Work of our own takes the caller's place in the queue. When its turn comes, the caller goes on instead.
    let turn = UnsafeMutablePointer<MainTurn>.allocate(capacity: 1)
    unsafe turn.initialize(to: MainTurn(number: number))
    let main = unsafe ch_main_queue()
    unsafe handedOver(
      ch_work(
        block: nil, function: { unsafe Scheduler.lendMain($0) }, context: turn, queue: main, group: nil,
        is_barrier: false))
    park(waitingFor: DispatchQueues.key(number))
    acquires(mainObject)
    tables.dispatch.begins(.init(item: .turn(DispatchQueues.key(number))), turn: number)
    return number
  }

  private struct MainTurn { let number: Int }

  /// Lets the caller of `sync` go on in place of the step that has the main queue, and waits until the caller is done.
  private static func lendMain(_ context: UnsafeMutableRawPointer?) {
    guard let simulation = unsafe ch_get_current(), let context = unsafe context else { return }
    let turn = unsafe context.assumingMemoryBound(to: MainTurn.self)
    let number = unsafe turn.pointee.number
    unsafe turn.deallocate()
    unsafe Scheduler.with(simulation) {
      $0.wakeBlocked(on: DispatchQueues.key(number))
      guard unsafe ch_can_park($0.hooks) else { return }
      $0.park(waitingFor: DispatchQueues.endKey(number))
    }
  }

  private func closeMain() { domains.close(Domains.main, holder: Domains.parkedStep) }

  private func leavesMain(_ number: Int) {
    releases(mainObject)
    let lent = tables.parked.steps.contains { $0.waitsFor == DispatchQueues.endKey(number) }
    if lent { return wakeBlocked(on: DispatchQueues.endKey(number)) }
    guard domains.isClosedByParked(Domains.main) else { return }
    for id in domains.reopen(Domains.main) { release(id) }
  }

  /// Returns a description of what a step that has called `sync` waits for, or nil if the key is of another kind.
  func describeQueue(_ key: UInt) -> String? {
    guard let number = tables.dispatch.knownTurn(key) else { return nil }
    if DispatchQueues.endKey(number) == key { return "the end of what `sync` runs on the main queue" }
    guard let queue = tables.dispatch.queue(withTurn: key)?.label else {
      return "its turn on the main queue, by `sync`"
    }
    return "its turn on \(queue.hasPrefix("org.swift.") ? "a queue of Foundation" : queue), by `sync`"
  }

  // MARK: many at once

  /// Runs `one` on several threads at once, and waits until all have ended.
  func applies(
    _ one: @convention(c) (UnsafeMutableRawPointer?) -> Void, _ context: UnsafeMutableRawPointer,
    on address: UnsafeMutableRawPointer, count: Int
  ) {
    let group = unsafe ch_make_group()
    tables.threadPool.iterations.insert(UInt(bitPattern: context))
    defer { tables.threadPool.iterations.remove(UInt(bitPattern: context)) }
    for _ in 0..<min(count, Self.mostWorkers) {
      unsafe ch_enter_group(group)
      unsafe handedOver(
        ch_work(
          block: nil, function: one, context: context, queue: address, group: group, is_barrier: false))
    }
    while unsafe !ch_is_group_empty(group) {
      _ = waits(for: .group, UInt(bitPattern: group), until: .max)
    }
    acquires(UInt(bitPattern: group))
    unsafe ch_end_group(group)
  }

  private static let mostWorkers = 4
}

// MARK: - What the C target calls

@c @implementation
func simulator_enters_queue(
  _ scheduler: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer, _ isBarrier: Bool
) -> Int32 {
  unsafe Scheduler.with(scheduler) { unsafe Int32($0.entersQueue(queue, isBarrier: isBarrier)) }
}

@c @implementation
func simulator_leaves_queue(_ scheduler: UnsafeMutableRawPointer, _ turn: Int32) {
  unsafe Scheduler.with(scheduler) { $0.leavesQueue(Int(turn)) }
}

@c @implementation
func simulator_applies(
  _ scheduler: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer, _ count: Int,
  _ context: UnsafeMutableRawPointer, _ one: @convention(c) (UnsafeMutableRawPointer?) -> Void
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.applies(one, context, on: queue, count: count) }
}
