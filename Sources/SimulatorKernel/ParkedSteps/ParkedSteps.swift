internal import CConcurrencyHooks

/// The parked steps.
///
/// A step is parked because the schedule *preempts* it, or because a lock *blocks* it. It stays on the stack of its
/// thread, and another thread drives the simulation meanwhile. Every operation is O(parked steps).
///
/// - **Where** a step may be preempted: after it has made something runnable; after it has released its last lock, signaled or
///   posted; before it takes a lock while it holds another; and where it waits. In a build with `-sanitize=thread`, also before
///   each atomic. While a step is parked just before it tries to take a lock, one that takes this lock may be preempted with it.
///   A step is not preempted while it holds a lock of the simulator's own, or while it makes something that is made
///   once, so that an execution in which everything has been made has the same points. A step that passes a thousand points
///   spins, and is preempted without a choice.
/// - **The choice** is of the kind `preemption`: option 0 goes on, option 1 preempts. So a tape of zeros runs whole steps. There
///   is a choice only if something else can run. Each part of a step counts as a step in the digest, on the tape and in the
///   flight recorder.
/// - **Meanwhile** the step's domain is closed. No anytime action happens and no task is cancelled by the schedule, because
///   they may need a `Mutex` that the step holds. A step that can go on is an arrival like any other, behind those that came
///   before it.
/// - **Drivers**: only one thread drives at any moment, so nothing else needs a lock. When the loop picks a parked step, it
///   returns, and its thread wakes the step's thread as the last thing that it does. An execution may end on any thread. Then
///   the first thread abandons the step that is parked on it by a jump, and `tearDown` abandons all others. An abandoned step
///   releases the locks that it holds. What is local to a thread stays with the thread.
/// - **The reduced search** preempts a step at every point (`ExhaustiveReduced.pick`), so that there each part is a step of its
///   own. An object whose initialization was seen has the same name in every execution (`UsedObjects`); any other has a
///   number, and a step from another execution races with each of them (`Dependency.mayConflict`). What runs on the domain of
///   a parked step, or is an action, races with the first part of that step and not with a later one (`Races.reversed`).
@safe final class ParkedSteps: ExecutionTable {
  /// A parked step.
  @safe struct Step {
    /// The thread on whose stack the step is.
    let thread: OpaquePointer
    /// The state of the execution that belongs to the step.
    let frame: ExecutionState.Frame
    /// The preemption point and its callers; empty unless events are kept.
    let stack: [UInt]
    /// The lock that blocks it; 0 if it was preempted, or if the lock is free by now.
    var waitsFor: UInt
    /// True if the lock is a `Mutex`: all that is known of it is that a step has to wait.
    let isMutex: Bool
    /// The object that it uses when it goes on, as strategies see it; 0 if unknown.
    let object: UInt32
    /// The lock that it tries to take when it goes on; 0 if it does not, or waits for it.
    let tries: UInt
    /// The memory access before which it was preempted.
    let access: Access?
  }

  /// A memory access that a step is about to make.
  struct Access {
    let address: UInt
    let size: UInt
    let writes: Bool
    let place: UInt
    /// True if it frees the memory.
    var frees = false

    var verb: String { frees ? "frees it" : writes ? "writes" : "reads" }

    /// True if this access and that of another step are a data race.
    func races(with other: Access) -> Bool {
      (writes || other.writes) && address < other.address + other.size
        && other.address < address + size
    }
  }

  private(set) var steps: [Step] = []
  /// The numbers of the objects that steps use, by address. Kept if the strategy asks for candidates.
  private var numbers: [UInt: UInt32] = [:]
  /// The locks and conditions that steps of this execution have made.
  private var made: Set<UInt> = []
  private var lockCount: UInt32 = 0
  private var atomicCount: UInt32 = 0
  /// The thread that drives next; nil while the present one goes on.
  var nextDriver: OpaquePointer?

  var isFresh: Bool {
    unsafe steps.isEmpty && numbers.isEmpty && made.isEmpty && nextDriver == nil
  }

  func removeAll() {
    steps.removeAll(keepingCapacity: true)
    if !numbers.isEmpty { numbers.removeAll(keepingCapacity: true) }
    if !made.isEmpty { made.removeAll(keepingCapacity: true) }
    (lockCount, atomicCount) = (0, 0)
    unsafe nextDriver = nil
  }

  func add(_ step: Step) { steps.append(step) }

  /// Removes and returns the step on the stack of `thread`.
  func take(_ thread: OpaquePointer) -> Step? {
    guard let index = steps.firstIndex(where: { unsafe $0.thread == thread }) else { return nil }
    return steps.remove(at: index)
  }

  /// True if a parked step is about to try to take `lock`.
  func isTried(_ lock: UInt) -> Bool { steps.contains { $0.tries == lock } }

  /// The parked step of `task`.
  func step(of task: Int32) -> Step? { steps.first { $0.frame.task == task } }

  /// True if a step is parked on the stack of `thread`, or of the thread that runs its step.
  func isParked(_ thread: OpaquePointer) -> Bool {
    steps.contains { unsafe $0.thread == thread || ch_carries(thread, $0.thread) }
  }

  /// The preemption point of the step on the stack of `thread`, and its callers.
  func stack(_ thread: OpaquePointer) -> [UInt] { steps.first { unsafe $0.thread == thread }?.stack ?? [] }

  /// Unblocks the steps that wait for `lock`, and returns them in the order in which they came.
  func takeBlocked(on lock: UInt) -> [Step] {
    var woken: [Step] = []
    for index in steps.indices where steps[index].waitsFor == lock {
      steps[index].waitsFor = 0
      woken.append(steps[index])
    }
    return woken
  }

  /// The number of the lock or atomic at `address`, in the order of first use: even for a lock, odd for an atomic. It
  /// is 0 for one that was not made in this execution, unless it `isLasting`.
  func number(of address: UInt, isLock: Bool, isLasting: () -> Bool) -> UInt32 {
    if let number = numbers[address] { return number }
    let number: UInt32
    if !made.contains(address), !isLasting() {
      number = 0
    } else if isLock {
      lockCount += 1
      number = 2 * lockCount
    } else {
      number = 2 * atomicCount + 1
      atomicCount += 1
    }
    numbers[address] = number
    return number
  }

  /// Notes that a new object begins at this address.
  func made(_ address: UInt) {
    made.insert(address)
    if !numbers.isEmpty { numbers[address] = nil }
  }

  /// Notes that the object at this address is gone.
  func unmade(_ address: UInt) {
    if !made.isEmpty { made.remove(address) }
    if !numbers.isEmpty { numbers[address] = nil }
  }
}
