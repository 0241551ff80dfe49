internal import CConcurrencyHooks

/// In which order the children of task groups finish, which the groups' parents may see.
///
/// Of a discarding group they see only that all have finished, and who was the first to throw. Of any other, a parent that
/// waits for all children inside the library does not see more.
final class Groups: ExecutionTable {
  /// The children of discarding groups, and where each one's group is.
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
    let access: Strategies.SharedObject.Access =
      isSeen ? .exclusive : !isAwaited && waits(parent, for: group) ? .joined : .added
    chooser.accessed(.group(tasks[parent].path), access)
  }

  /// Whether `task` waits for this group, and not for another within it.
  private func waits(_ task: Int32, for group: UInt?) -> Bool {
    // Safe: the task is alive, and the self-test has checked where the record stands.
    guard
      let record = unsafe UnsafeRawPointer(
        bitPattern: UInt(ch_word(tasks[task].address, Int(CH_TASK_DEPENDENCY))))
    else { return false }
    return unsafe ch_word(record, Int(CH_WAIT_KIND)) & 0xFF == CH_WAIT_FOR_GROUP
      && UInt(ch_word(record, Int(CH_WAIT_OBJECT))) == group
  }
}
