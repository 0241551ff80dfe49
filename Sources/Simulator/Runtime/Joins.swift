internal import CConcurrencyHooks

/// What must be known to tell a step that does nothing but wait for the end of other tasks: it may as well be part of the
/// next step of its task, for nothing can tell when it ran.
///
/// `await task.value` goes on in the same step where the task has finished, and ends the step where it has not. With a
/// step of its own for each, joining six tasks in a row would be a race with each of them.
struct Joins {
  /// The group of each task that is in one.
  var groups: [Int32: UInt] = [:]
  /// The tasks that wait for all children of a group inside the library, on the pool, and for which group.
  fileprivate var waiting: [Int32: UInt] = [:]
  /// The group for whose children the task of the running step waited in that way and must go on waiting.
  fileprivate var unfinished: UInt?
  /// What the running step, so far silent, has asked for in vain.
  fileprivate var asked: Strategies.SharedObject?
  /// For each task whose last step was silent, what the first of its silent steps was in its behaviour.
  private var heldBack: [Int32: UInt64] = [:]
  /// The behaviour of the running step's task before it, and what the step is in it.
  private var before: UInt64 = 0
  private var step: UInt64 = 0

  /// A step begins; answers what it is in the behaviour of its task.
  mutating func began(_ step: UInt64, of task: Int32, _ tasks: Tasks) -> UInt64 {
    before = tasks[task].behaviour
    self.step = heldBack.isEmpty ? step : heldBack.removeValue(forKey: task) ?? step
    return self.step
  }

  /// The running step has turned out to be part of the next one.
  fileprivate mutating func holdBack(_ task: Int32, _ tasks: Tasks) {
    tasks.setBehaviour(task, before)
    heldBack[task] = step
  }

  /// Whether `task` waits for all in the group of its child.
  func awaits(_ task: Int32, _ child: Int32) -> Bool {
    guard !waiting.isEmpty, let group = waiting[task] else { return false }
    return groups[child] == group
  }

  var isEmpty: Bool {
    groups.isEmpty && waiting.isEmpty && heldBack.isEmpty && asked == nil && unfinished == nil
  }

  mutating func removeAll() {
    if !groups.isEmpty { groups.removeAll(keepingCapacity: true) }
    if !waiting.isEmpty { waiting.removeAll(keepingCapacity: true) }
    if !heldBack.isEmpty { heldBack.removeAll(keepingCapacity: true) }
    (asked, unfinished) = (nil, nil)
  }
}

extension Scheduler {
  /// The running step has asked for the result of `task`.
  func consulted(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    guard index >= 0 else { return }
    if chooser.followsOrder, !tasks[index].isAlive { orders(index, currentTask) }
    guard chooser.followsDependencies else { return }
    let result = Strategies.SharedObject.result(tasks[index].path)
    if !chooser.isSilent || currentTask != state.frame.task {
      chooser.accessed(result, .read)
    } else if tasks[index].isAlive {
      tables.dependencies.joins.asked = result
    } else {
      chooser.asked(result, .awaited)
    }
  }

  /// A step begins of a task that has had children in groups: it may look who has finished, unless it goes on inside
  /// the library and finds that not all have.
  func stepOfParent(_ task: Int32, of children: [Int32]) {
    let joins = tables.dependencies.joins
    let group = Strategies.SharedObject.group(tasks[task].path)
    if chooser.isSilent, let awaited = joins.waiting[task] {
      if children.contains(where: { tasks[$0].isAlive && joins.groups[$0] == awaited }) {
        tables.dependencies.joins.unfinished = awaited
      } else {
        chooser.accessed(group, .awaited)
      }
    } else {
      chooser.accessed(group, .read)
    }
    tables.dependencies.joins.waiting[task] = nil
  }

  /// A step has ended: it was silent if it did nothing but wait.
  func endOfWait(_ arrival: Arrival) { endOfWait(of: arrival.task, on: arrival.domain) }

  func endOfWait(of task: Int32, on domain: Int32) {
    defer { chooser.endSilence() }
    let unfinished = tables.dependencies.joins.unfinished
    let asked = tables.dependencies.joins.asked
    (tables.dependencies.joins.unfinished, tables.dependencies.joins.asked) = (nil, nil)
    let awaited = groupAwaited(by: task)
    if let awaited, domain == Domains.pool { tables.dependencies.joins.waiting[task] = awaited }
    if let unfinished {
      let group = Strategies.SharedObject.group(tasks[task].path)
      if chooser.isSilent, awaited == unfinished {
        wasSilent(task, group)
      } else {
        chooser.accessed(group, .exclusive)
      }
    } else if let asked {
      if chooser.isSilent { wasSilent(task, asked) } else { chooser.accessed(asked, .read) }
    }
  }

  private func wasSilent(_ task: Int32, _ object: Strategies.SharedObject) {
    chooser.asked(object, .waits)
    tables.dependencies.joins.holdBack(task, tasks)
  }

  private func groupAwaited(by task: Int32) -> UInt? {
    guard task >= 0, tables.dependencies.hasGroups, tables.dependencies.groupChildren[task] != nil,
      tasks[task].isAlive
    else { return nil }
    // Safe: the task is alive, and suspended, for its step has ended.
    let group = unsafe ch_group_awaited(tasks[task].address)
    return group == 0 ? nil : group
  }
}
