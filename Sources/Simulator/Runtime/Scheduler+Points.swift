internal import CConcurrencyHooks

// What a strategy is told of a step at a point where it may be left: what remains of it is a candidate like any other, and a
// step that goes on has taken it. So each part of a step counts, whether or not the step is left, and whether or not anything
// else could run.

extension Scheduler {
  /// What the running step uses next, as strategies are told; 0 where that is not known.
  func takeNext() -> UInt32 {
    let address = unsafe hooks.pointee.stands_before
    guard address != 0 else { return 0 }
    unsafe hooks.pointee.stands_before = 0
    return number(of: address, isLock: unsafe hooks.pointee.stands_before_lock)
  }

  /// The running step has to wait for `lock`: its number.
  func wanted(_ lock: UInt, isMutex: Bool = false) -> UInt32 {
    guard chooser.followsParts else { return 0 }
    let number = number(of: lock, isLock: true, isMutex: isMutex)
    chooser.used(Int(number))
    return number
  }

  /// A lock on the heap that no step of this execution has made has no number: a library may use memory for it that another
  /// lock has been in, and when it does depends on what else the process keeps.
  func number(of address: UInt, isLock: Bool, isMutex: Bool = false) -> UInt32 {
    guard chooser.followsParts else { return 0 }
    return tables.standing.number(of: address, isLock: isLock) {
      !isLock || isMutex || ch_image_offset(address) != address
    }
  }

  /// Tells the strategy that what remains of the running step may run. Nil where it does not ask.
  func offerRest(before object: UInt32) -> Arrival? {
    guard chooser.followsParts else { return nil }
    let arrival = unsafe arrival(of: state.frame, on: ch_own_baton(), before: object)
    chooser.offered(candidate(arrival))
    return arrival
  }

  /// What remains of a step on the stack of `thread`.
  func arrival(of frame: ExecutionState.Frame, on thread: OpaquePointer, before object: UInt32) -> Arrival {
    let id = state.nextID
    state.nextID += 1
    return unsafe Arrival(
      job: UnsafeMutableRawPointer(thread), identity: 0, implementation: 0, domain: frame.domain,
      task: frame.task,
      id: id, kind: .standing, hasLanded: false, reopensDomain: frame.domain > Domains.pool, isYield: false,
      priority: 0, object: object)
  }
}
