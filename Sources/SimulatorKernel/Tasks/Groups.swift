internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The order in which the children of task groups finish, as far as the groups' parents may see it.
///
/// The parent of a discarding group sees only that all children have finished, and which one was the first to throw.
/// The parent of any other group sees no more than that if it waits for all children inside the library.
final class Groups: ExecutionTable {
  /// The children of discarding groups, and the address of each one's group.
  fileprivate var discarded: [Int32: UInt] = [:]

  var isFresh: Bool { discarded.isEmpty }

  func removeAll() {
    if !discarded.isEmpty { discarded.removeAll(keepingCapacity: true) }
  }

  func addDiscarded(_ child: Int32, in group: UInt) { discarded[child] = group }
}

extension Scheduler {
  func groupChildFinishes(_ child: Int32, threw: Bool) {
    let parent = tasks[child].parent
    guard tasks[parent].isAlive else { return }
    let group = tables.groups.discarded[child]
    let isAwaited = chooser.followsDependencies && !threw && tables.dependencies.joins.awaits(parent, child)
    let isSeen = threw || group == nil && !isAwaited
    if isSeen { tasks.saw(tasks[child].path, by: parent) }
    guard chooser.followsDependencies else { return }
    let access: Strategies.Access =
      isSeen ? .exclusive : !isAwaited && waits(parent, for: group) ? .joined : .added
    chooser.accessed(.group(tasks[parent].path), access)
  }

  /// Returns true if `task` waits for this group, and not for another one within it.
  private func waits(_ task: Int32, for group: UInt?) -> Bool {
    // Safe: the task is alive, and the self-test has checked where the record is.
    guard
      let record = unsafe UnsafeRawPointer(
        bitPattern: UInt(ch_word(tasks[task].address, Int(CH_TASK_DEPENDENCY))))
    else { return false }
    return unsafe ch_word(record, Int(CH_WAIT_KIND)) & 0xFF == CH_WAIT_FOR_GROUP
      && UInt(ch_word(record, Int(CH_WAIT_OBJECT))) == group
  }
}
