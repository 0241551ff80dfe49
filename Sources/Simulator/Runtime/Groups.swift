internal import CConcurrencyHooks

/// In which order the children of task groups finish, which the groups' parents may see.
///
/// Of a discarding group they see only that all have finished, and who was the first to throw.
final class Groups {
  /// The children of discarding groups.
  fileprivate var discarded: Set<Int32> = []

  func reset() {
    if !discarded.isEmpty { discarded.removeAll(keepingCapacity: true) }
  }

  func addDiscarded(_ child: Int32) { discarded.insert(child) }
}

extension Scheduler {
  func groupChildFinishes(_ child: Int32, threw: Bool) {
    let parent = tasks[child].parent
    guard tasks[parent].isAlive else { return }
    let isSeen = threw || !groups.discarded.contains(child)
    if isSeen { tasks.saw(tasks[child].path, by: parent) }
    guard chooser.followsTouches else { return }
    let access: SharedObject.Access = isSeen ? .exclusive : waitsForGroup(parent) ? .joined : .added
    chooser.touched(.group(tasks[parent].path), access)
    if threw { cancelsGroup(of: parent) }
  }

  private func waitsForGroup(_ task: Int32) -> Bool {
    // Safe: the task is alive, and the self-test has checked where the record stands.
    guard
      let record = unsafe UnsafeRawPointer(
        bitPattern: UInt(ch_word(tasks[task].address, Int(CH_TASK_DEPENDENCY))))
    else { return false }
    return unsafe ch_word(record, Int(CH_WAIT_KIND)) & 0xFF == CH_WAIT_FOR_GROUP
  }
}
