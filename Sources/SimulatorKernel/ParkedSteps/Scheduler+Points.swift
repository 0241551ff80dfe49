internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// At a preemption point, a strategy sees the rest of the step, which is a candidate like any other. A step that
// goes on has taken it. So each part of a step counts, whether or not the step is preempted, and whether or not
// anything else could run.

extension Scheduler {
  /// Returns the object that the running step uses next, as strategies see it; 0 if unknown.
  func takeNext() -> UInt32 {
    let address = unsafe hooks.pointee.point_object
    guard address != 0 else { return 0 }
    unsafe hooks.pointee.point_object = 0
    return number(of: address, isLock: unsafe hooks.pointee.point_object_is_lock)
  }

  /// Returns the lock that the running step is about to try to take; 0 if there is none.
  func takeTries() -> UInt {
    let lock = unsafe hooks.pointee.tries
    unsafe hooks.pointee.tries = 0
    return lock
  }

  /// Notes that the running step has to wait for `lock`, and returns the number of the lock.
  func wanted(_ lock: UInt, isMutex: Bool = false) -> UInt32 {
    guard chooser.followsParts else { return 0 }
    let number = number(of: lock, isLock: true, isMutex: isMutex)
    chooser.used(Int(number))
    return number
  }

  /// Returns the number of an object. A lock on the heap that no step of this execution has made has none: a library
  /// may place it in memory where another lock has been, and when it does depends on what else the process keeps.
  func number(of address: UInt, isLock: Bool, isMutex: Bool = false) -> UInt32 {
    guard chooser.followsParts else { return 0 }
    return tables.parked.number(of: address, isLock: isLock) {
      !isLock || isMutex || ch_image_offset(address) != address
    }
  }

  /// Tells the strategy that the rest of the running step may run. Returns nil if the strategy does not ask.
  func offerRest(before object: UInt32) -> Arrival? {
    guard chooser.followsParts else { return nil }
    let arrival = unsafe arrival(of: state.frame, on: ch_own_driver(), before: object)
    chooser.offered(candidate(arrival))
    return arrival
  }

  /// Returns the rest of a step on the stack of `thread`.
  func arrival(of frame: ExecutionState.Frame, on thread: OpaquePointer, before object: UInt32) -> Arrival {
    let id = state.nextID
    state.nextID += 1
    return unsafe Arrival(
      job: UnsafeMutableRawPointer(thread), identity: 0, implementation: 0, domain: frame.domain,
      task: frame.task,
      id: id, kind: .parked, isEnqueued: false, reopensDomain: frame.domain > Domains.pool, isYield: false,
      priority: 0, object: object)
  }
}
