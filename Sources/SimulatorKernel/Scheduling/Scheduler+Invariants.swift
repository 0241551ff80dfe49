internal import SimulatorCore
internal import SimulatorStrategyInterface

extension Scheduler {
  /// Traps if the tables contradict themselves or each other. The engine's tests ask for it before each step. O(all that is
  /// alive).
  func _checkInvariants() {
    queue._checkInvariants()
    timers._checkInvariants()
    tables.locks._checkInvariants()
    tables.threadPool._checkInvariants()
    let parked = tables.parked.steps
    let rests = queue.slots { $0.kind == .parked }
    // A parked step is in the queue as soon as nothing blocks it, and only then.
    precondition(rests.count == parked.count { $0.waitsFor == 0 })
    for step in parked {
      let isInQueue = rests.contains { unsafe OpaquePointer(queue.arrival(at: $0).job) == step.thread }
      precondition(isInQueue == (step.waitsFor == 0))
    }
    // A step that is kept out is not on offer.
    for step in tables.threadPool.pools.flatMap(\.keptOut) {
      precondition(queue.slot(of: step.id).map { !queue.isOffered($0) } ?? true)
    }
    // A step that waits for a signal, a post or time is parked.
    for wait in tables.locks.waits {
      precondition(parked.contains { unsafe $0.thread == wait.thread })
    }
    // A task has at most one job in the queue.
    let tasks = queue.slots { $0.task >= 0 && $0.kind != .parked }.map { queue.arrival(at: $0).task }
    precondition(Set(tasks).count == tasks.count)
  }
}
