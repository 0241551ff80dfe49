internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The state needed to recognize a step that does nothing but wait for other tasks to end. Such a step may as well be
/// part of the next step of its task, because nothing can tell when it ran.
///
/// `await task.value` goes on in the same step if the task has finished, and ends the step if it has not. If each such
/// wait had a step of its own, joining six tasks in a row would be a race with each of them.
struct Joins {
  /// The group of each task that is in one.
  var groups: [Int32: UInt] = [:]
  /// The group that each task waits for, if it waits for all children of one inside the library, on the pool.
  fileprivate var waiting: [Int32: UInt] = [:]
  /// The group that the task of the running step waited for in that way, and for whose children it must go on waiting.
  fileprivate var unfinished: UInt?
  /// The object that the running step, silent so far, has asked for in vain.
  fileprivate var asked: Strategies.SharedObject?
  /// The hash of the first of the latest silent steps, for each task whose last step was silent.
  private var heldBack: [Int32: UInt64] = [:]
  /// The behavior of the running step's task before the step, and the hash of the step in it.
  private var before: UInt64 = 0
  private var step: UInt64 = 0

  /// Notes that a step of `task` begins, and returns the hash of the step in the behavior of the task.
  mutating func began(_ step: UInt64, of task: Int32, _ tasks: Tasks) -> UInt64 {
    before = tasks[task].behavior
    self.step = heldBack.isEmpty ? step : heldBack.removeValue(forKey: task) ?? step
    return self.step
  }

  /// Makes the running step, which has turned out silent, part of the next one.
  fileprivate mutating func holdBack(_ task: Int32, _ tasks: Tasks) {
    tasks.setBehavior(task, before)
    heldBack[task] = step
  }

  /// Returns true if `task` waits for all children in the group of its child `child`.
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
  /// Notes that the running step has asked for the result of `task`.
  func consulted(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    guard index >= 0 else { return }
    if chooser.followsOrder, !tasks[index].isAlive { orders(index, currentTask) }
    guard chooser.followsDependencies else { return }
    if state.prioritiesDiffer { raisesPriority(of: index) }
    let result = Strategies.SharedObject.result(tasks[index].path)
    if !chooser.isSilent || currentTask != state.frame.task {
      chooser.accessed(result, .read)
    } else if tasks[index].isAlive {
      tables.dependencies.joins.asked = result
    } else {
      chooser.asked(result, .awaited)
    }
  }

  /// Notes that a step begins of a task that has had children in groups. The step may look which of them have finished,
  /// unless it goes on inside the library and finds that not all have.
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

  /// Notes that a step has ended. It was silent if it did nothing but wait.
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
    // Safe: the task is alive, and it is suspended, because its step has ended.
    let group = unsafe ch_group_awaited(tasks[task].address)
    return group == 0 ? nil : group
  }
}
