internal import CConcurrencyHooks
internal import SimulatorCore

// Dispatch groups, including the one that each work item has, and the work that is notified when a group is empty.

extension Scheduler {
  /// Hands over the work to do when a group is empty. Returns true if the group is empty already.
  func notifies(_ work: ch_work) -> Bool {
    guard let group = unsafe work.group else { return false }
    var work = unsafe work
    unsafe work.group = nil
    usesGroup(UInt(bitPattern: group))
    if unsafe ch_is_group_empty(group) {
      unsafe handedOver(work, after: UInt(bitPattern: group))
      return true
    }
    if let address = unsafe work.queue { _ = unsafe queue(at: address) }
    unsafe tables.dispatch.notify(.init(group: group, work: work, step: state.steps))
    return false
  }

  /// Notes that a group is entered. If this step has asked to be notified, the group may have been empty since then.
  func enters(_ group: UnsafeMutableRawPointer) {
    usesGroup(UInt(bitPattern: group))
    if unsafe tables.dispatch.isAwaited(group, since: state.steps) { ch_is_shared() }
  }

  /// Notes that a work item is about to be canceled. The item may have run by then. Returns true if it is still to run: what it
  /// then frees may run before the next statement.
  func usesWorkItem(_ group: UnsafeMutableRawPointer) -> Bool {
    usesGroup(UInt(bitPattern: group))
    ch_is_shared()
    let tasks = unsafe tables.dispatch.tasks(ofItem: group)
    for task in tasks {
      // What is done before the item on its queue decides whether the item can run yet.
      if let address = unsafe tables.dispatch.work(of: task)?.queue { uses(unsafe queue(at: address)) }
      if couldHaveBegun(task) { tables.dispatch.mayHaveBegun(task) }
    }
    return !tasks.isEmpty
  }

  /// Returns true if the task is on offer, and could run beside the running step. Not on the main actor: other steps may come
  /// there before the task, and none could if it had begun.
  func couldHaveBegun(_ task: Int32) -> Bool {
    queue.slots { $0.task == task }.contains { slot in
      let domain = queue.arrival(at: slot).domain
      return queue.isOffered(slot)
        && (domain == Domains.pool || domain != state.frame.domain && domain != Domains.main)
    }
  }

  /// Decides whether the running work, which was canceled, has begun before that.
  func choosesStart() -> Bool {
    guard chooser.choose(.start, options: 2) == 1 else { return false }
    if recorder.keepsEvents {
      let name = recorder.path(of: state.frame.task, self)
      recorder.decided(at: chooser.tape.count - 1, .init(taken: name, natural: name))
    }
    return true
  }

  /// Notes that a group has been left, and hands over the work of the groups that are now empty.
  func leftGroup(_ group: UnsafeMutableRawPointer) {
    somethingHappened()
    let address = UInt(bitPattern: group)
    releases(address)
    usesGroup(address)
    freesAll(address)
    for told in unsafe tables.dispatch.takeNotified(where: { unsafe ch_is_group_empty($0) }) {
      unsafe handedOver(told.work, after: UInt(bitPattern: told.group))
      unsafe ch_release_dispatch(told.group)
    }
  }

  func usesGroup(_ address: UInt) {
    if chooser.followsDependencies { uses(address, .exclusive) }
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_notifies(_ scheduler: UnsafeMutableRawPointer, _ work: ch_work) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.notifies(work) }
}

@c @implementation
func simulator_enters_group(_ scheduler: UnsafeMutableRawPointer, _ group: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.enters(group) }
}

@c @implementation
func simulator_uses_work_item(_ scheduler: UnsafeMutableRawPointer, _ group: UnsafeMutableRawPointer) -> Bool
{
  unsafe Scheduler.with(scheduler) { unsafe $0.usesWorkItem(group) }
}

@c @implementation
func simulator_left_group(_ scheduler: UnsafeMutableRawPointer, _ group: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.leftGroup(group) }
}
