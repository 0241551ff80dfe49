internal import CConcurrencyHooks
internal import SimulatorCore

// The Dispatch queues that an execution uses: the target of each, and whether it is suspended.

extension Scheduler {
  /// Returns the queue at this address. Registers it at its first use.
  func queue(at address: UnsafeMutableRawPointer) -> DispatchQueues.Index {
    if let known = unsafe tables.dispatch.index(of: address) { return known }
    let kind = unsafe ch_kind_of_queue(address)
    let label =
      switch kind {
      case CInt(CH_MAIN_QUEUE): "the main queue"
      case CInt(CH_GLOBAL_QUEUE): "a global queue"
      default: Self.shown(unsafe String(cString: ch_label_of_queue(address)))
      }
    let queue = unsafe DispatchQueues.Queue(
      address, label: label.isEmpty ? "a queue" : label, kind: kind,
      place: tables.dispatch.place(of: address, label: label))
    let index = tables.dispatch.add(queue)
    if kind == CH_SERIAL_QUEUE {
      queue.domain = domains.add(
        .queue, at: UInt(bitPattern: address), label: queue.label, place: queue.place)
    } else if kind == CH_MAIN_QUEUE {
      queue.domain = Domains.main
    }
    if let target = unsafe ch_target_of_queue(address) { unsafe self.target(index, at: target) }
    return index
  }

  /// Returns a queue's label without what differs from process to process: Foundation puts addresses into labels, and
  /// into those of its sessions the number of sessions so far.
  private static func shown(_ label: String) -> String {
    if label.hasPrefix("URLSession<") { return "URLSession" }
    if let end = label.firstRange(of: "URLSessionTask.WorkQueue.") {
      return "URLSession task " + label[end.upperBound...]
    }
    return label.firstRange(of: " 0x").map { String(label[..<$0.lowerBound]) } ?? label
  }

  func queueMade(_ address: UnsafeMutableRawPointer) {
    let maker = currentTask
    unsafe tables.dispatch.made(address, by: maker >= 0 ? tasks[maker].path : Digest.seed)
  }

  func retarget(_ address: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer?) {
    guard let index = unsafe tables.dispatch.index(of: address) else { return }
    tables.dispatch[index].target = nil
    if let target = unsafe target { unsafe self.target(index, at: target) }
  }

  private func target(_ index: DispatchQueues.Index, at address: UnsafeMutableRawPointer) {
    let target = unsafe queue(at: address)
    // All work on this queue would be part of one step of the main queue.
    if reaches(main: target) { return left(by: "dispatch_set_target_queue", from: []) }
    tables.dispatch[index].target = target
  }

  private func reaches(main index: DispatchQueues.Index) -> Bool {
    var next: DispatchQueues.Index? = index
    while let each = next {
      if tables.dispatch[each].kind == CH_MAIN_QUEUE { return true }
      next = tables.dispatch[each].target
    }
    return false
  }

  /// Suspends, activates or resumes a queue. Returns true if Dispatch ends the process here, because the queue is
  /// resumed more often than it was suspended.
  func changes(_ address: UnsafeMutableRawPointer, _ change: Int32) -> Bool {
    let index = unsafe queue(at: address)
    let queue = tables.dispatch[index]
    guard queue.kind == CH_SERIAL_QUEUE || queue.kind == CH_CONCURRENT_QUEUE else { return false }
    uses(index)
    switch change {
    case CInt(CH_SUSPENDS):
      // Work that the queue already has could have run by now. Only preemptible steps show that.
      if queue.running > 0 || !queue.isEmpty { ch_is_shared() }
      queue.suspensions += 1
      if queue.kind == CH_SERIAL_QUEUE, queue.turn == nil { holdBack(index) }
    case CInt(CH_ACTIVATES): queue.isInactive = false
    default:
      guard queue.suspensions > 0 else { return true }
      queue.suspensions -= 1
    }
    if !queue.isStopped {
      if let id = queue.heldBack {
        queue.heldBack = nil
        if let slot = self.queue.slot(of: id), !mustWait(self.queue.arrival(at: slot)) { release(id) }
      }
      releaseAll(queue)
      runNext(index)
    }
    return false
  }

  /// Holds back the next block of a serial queue until the queue is resumed. A concurrent queue has handed all its blocks over.
  private func holdBack(_ index: DispatchQueues.Index) {
    let slots = queue.slots { tables.dispatch.isNext($0.task, on: index) }
    for slot in slots where queue.isOffered(slot) {
      let arrival = queue.arrival(at: slot)
      queue.setOffered(slot, false)
      tables.dispatch[index].heldBack = arrival.id
      if chooser.follows { chooser.withdrew(candidate(arrival)) }
    }
  }

  /// Notes that the program has released its last reference to a source or a queue. Returns true if Dispatch ends the
  /// process here, because the object is suspended or has not begun.
  func releasesLast(_ address: UnsafeMutableRawPointer) -> Bool {
    // Tear-down runs out what the execution left behind, in an order that means nothing.
    if flightRecorder.isTearingDown {
      unsafe ch_begin_queue(address)
      return false
    }
    if let source = unsafe tables.sources[address] { return sourceReleased(source) }
    guard let index = unsafe tables.dispatch.index(of: address) else { return false }
    return tables.dispatch[index].isStopped
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_changes_queue(
  _ scheduler: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer, _ change: Int32
) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.changes(queue, change) }
}

@c @implementation
func simulator_releases_last(_ scheduler: UnsafeMutableRawPointer, _ object: UnsafeMutableRawPointer) -> Bool
{
  unsafe Scheduler.with(scheduler) { unsafe $0.releasesLast(object) }
}

@c @implementation
func simulator_retargets(
  _ scheduler: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer?
) {
  unsafe Scheduler.with(scheduler) { unsafe $0.retarget(queue, to: target) }
}

@c @implementation
func simulator_queue_made(_ scheduler: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.queueMade(queue) }
}
