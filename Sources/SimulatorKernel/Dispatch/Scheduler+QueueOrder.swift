internal import CConcurrencyHooks

// What Dispatch orders, for data races: which accesses of a block happen before which of another.
//
// Every block is a task and has a clock of its own. It begins after its submission, because tasks begin after their making. The
// rest goes by objects to which one side releases its clock and from which the other acquires it:
//
// | object | released by | acquired by |
// | --- | --- | --- |
// | a serial queue, the main queue | the end of a block or `sync`, `resume`, `activate` | the next block or `sync` |
// | a concurrent queue | the end of a barrier, `resume`, `activate` | all blocks |
// | its blocks that are no barriers | the end of each | barriers |
// | the target of a queue that takes turns | the end of the turn | all blocks of the turn |
// | a group, a work item | `leave`, the end of the work | `wait` that succeeds, what is notified |
// | a timer source | what sets it up, resumes or cancels it; the end of a handler | its handlers |
//
// A semaphore is released and acquired where the program calls it (`ExitsDispatch.c`). A queue that takes turns at its target
// releases the target when the turn ends, in the step of the last block.

extension Scheduler {
  /// Records that what has run on the queues of `entry` happens before what runs now.
  func acquire(_ entry: DispatchQueues.Entry?) {
    guard chooser.followsOrder, let entry else { return }
    for index in entry.owners {
      let queue = tables.dispatch[index]
      acquires(orderObject(of: queue))
      if queue.isExclusive { acquires(sharedObject(of: queue)) }
      acquire(queue.turn)
    }
  }

  /// Records that what has run now happens before what the queues of `entry` run next.
  func release(_ entry: DispatchQueues.Entry?) {
    guard chooser.followsOrder, let entry else { return }
    for index in entry.owners {
      let queue = tables.dispatch[index]
      releases(queue.isExclusive ? orderObject(of: queue) : sharedObject(of: queue))
    }
  }

  /// Records that what the running step has done happens before all that a queue has not begun.
  func releaseAll(_ queue: DispatchQueues.Queue) { releases(orderObject(of: queue)) }

  /// Records that what the running step has done happens before what others do once they have acquired `object`.
  func releases(_ object: UInt) {
    if chooser.followsOrder { ch_queue_releases(object) }
  }

  func acquires(_ object: UInt) {
    if chooser.followsOrder { ch_queue_acquires(object) }
  }

  /// Records that what was released to `object` happens before what `task` does.
  func acquires(_ object: UInt, by task: Int32) {
    if chooser.followsOrder, task >= 0 { unsafe ch_order_acquire(hooks, UInt32(task), object) }
  }

  /// The object that stands for the main actor, the main queue and the main run loop.
  var mainObject: UInt { ch_order_domain(UInt32(Domains.main)) }

  /// A queue that is a domain shares the order of the domain, on which tasks may run too.
  private func orderObject(of queue: DispatchQueues.Queue) -> UInt {
    queue.domain > Domains.pool
      ? ch_order_domain(UInt32(queue.domain)) : unsafe UInt(bitPattern: queue.address)
  }

  /// The object to which blocks release that run beside others. No other object has such an address.
  private func sharedObject(of queue: DispatchQueues.Queue) -> UInt {
    unsafe UInt(bitPattern: queue.address) + 1
  }
}
