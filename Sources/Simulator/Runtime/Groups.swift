internal import CConcurrencyHooks

/// In which order the children of task groups finish, which the groups' parents may see.
///
/// Not those of a discarding group: only its last child wakes the parent. What kind a group is shows when a child has
/// finished and the parent, who stood waiting, sleeps on.
final class Groups {
  struct Finish {
    let child: Int32
    let parent: Int32
    /// Whether the parent stood waiting for its group.
    let wasAwaited: Bool
  }

  /// Those who finished in the step that runs.
  fileprivate var finishes: [Finish] = []
  fileprivate(set) var hasFinishes = false
  /// The parents whose group takes no note of who finishes first, until they wait no longer.
  fileprivate var indifferent: Set<Int32> = []
  /// Whether this execution has left anything here.
  fileprivate var isUsed = false

  func reset() {
    guard isUsed else { return }
    isUsed = false
    hasFinishes = false
    finishes.removeAll(keepingCapacity: true)
    indifferent.removeAll(keepingCapacity: true)
  }
}

extension Scheduler {
  func groupChildFinishes(_ child: Int32) {
    let parent = tasks[child].parent
    guard tasks[parent].isAlive else { return }
    groups.hasFinishes = true
    groups.isUsed = true
    groups.finishes.append(
      Groups.Finish(child: child, parent: parent, wasAwaited: waitsForGroup(parent)))
  }

  /// At the end of the step: now it shows whether the parent was woken.
  func groupChildrenFinished() {
    for finish in groups.finishes {
      let parent = tasks[finish.parent]
      guard parent.isAlive else { continue }
      if !finish.wasAwaited {
        groups.indifferent.remove(finish.parent)
      } else if waitsForGroup(finish.parent) {
        groups.indifferent.insert(finish.parent)
      }
      let isIndifferent = groups.indifferent.contains(finish.parent)
      if !isIndifferent { tasks.saw(tasks[finish.child].path, by: finish.parent) }
      if chooser.followsTouches { chooser.touched(.group(parent.path), isIndifferent ? .joined : .exclusive) }
    }
    groups.finishes.removeAll(keepingCapacity: true)
    groups.hasFinishes = false
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
