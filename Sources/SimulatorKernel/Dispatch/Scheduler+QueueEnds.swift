internal import CConcurrencyHooks

// The end of a Dispatch queue, as the program sees it: the values that the queue keeps under keys are destroyed. The
// object itself lives as long as the execution, which has its address.

extension Scheduler {
  /// Notes that the program has released its last reference to the queue.
  func releasedLast(_ address: UnsafeMutableRawPointer) {
    guard let index = unsafe tables.dispatch.index(of: address) else { return }
    tables.dispatch[index].isReleased = true
    endIfUnused(index)
  }

  /// Ends the queue if nothing can come to it anymore: no work, and nothing through a queue that targets it. A queue
  /// that targets it lives as long as the execution, so the values that its target keeps do, too.
  func endIfUnused(_ index: DispatchQueues.Index) {
    let queue = tables.dispatch[index]
    guard !queue.specifics.isEmpty, queue.isEmpty, queue.running == 0, queue.expected == 0 else { return }
    guard !queue.isScheduled, unsafe ch_is_kept_by_us_alone(queue.address) else { return }
    guard !tables.dispatch.isAwaited(queue), unsafe !tables.sources.use(queue.address) else { return }
    let ending = queue.specifics
    queue.specifics = []
    for kept in ending { end(kept) }
  }

  /// Sets the value that a queue keeps under `key`, or removes it. Returns true if that ended an old value.
  func setsSpecific(
    _ address: UnsafeMutableRawPointer, _ key: UnsafeRawPointer, to new: DispatchQueues.Specific?
  ) -> Bool {
    let queue = tables.dispatch[unsafe queue(at: address)]
    let place = queue.specifics.firstIndex { unsafe $0.specific.key == key }
    let old = place.map { queue.specifics.remove(at: $0) }
    if let new { queue.specifics.append(new) }
    guard let old else { return false }
    end(old)
    return true
  }

  private func end(_ kept: DispatchQueues.Specific) {
    unsafe handedOver(
      ch_work(
        block: nil, function: kept.specific.destructor, context: kept.specific.context,
        queue: ch_global_queue(), group: nil, is_barrier: false))
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_released_last(_ scheduler: UnsafeMutableRawPointer, _ object: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.releasedLast(object) }
}

@c @implementation
func simulator_sets_specific(
  _ scheduler: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer, _ key: UnsafeRawPointer,
  _ context: UnsafeMutableRawPointer?, _ destructor: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> Bool {
  var new: DispatchQueues.Specific?
  if let context = unsafe context, let destructor = unsafe destructor {
    unsafe new = .init(specific: ch_specific(key: key, context: context, destructor: destructor))
  }
  return unsafe Scheduler.with(scheduler) { unsafe $0.setsSpecific(queue, key, to: new) }
}
