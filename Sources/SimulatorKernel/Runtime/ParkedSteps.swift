internal import CConcurrencyHooks

/// The parked steps, and the locks that steps hold.
///
/// A step is parked because the schedule *preempts* it, or because a lock *blocks* it. It stays on the stack of its
/// thread, and another thread drives the simulation meanwhile. Every operation is O(parked steps).
@safe final class ParkedSteps: ExecutionTable {
  /// A parked step.
  @safe struct Step {
    /// The thread on whose stack the step is.
    let thread: OpaquePointer
    /// The state of the execution that belongs to the step.
    let frame: ExecutionState.Frame
    /// The number of known locks that it holds.
    let locksHeld: UInt32
    /// The preemption point and its callers; empty unless events are kept.
    let stack: [UInt]
    /// The lock that blocks it; 0 if it was preempted, or if the lock is free by now.
    var waitsFor: UInt
    /// True if the lock is a `Mutex`: all that is known of it is that a step has to wait.
    let isMutex: Bool
    /// The object that it uses when it goes on, as strategies see it; 0 if unknown.
    let object: UInt32
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

  /// The holder of a lock.
  @safe struct Holder {
    let task: Int32
    let isMutex: Bool
    /// The thread on whose stack the lock was taken; nil once that step has ended.
    var thread: OpaquePointer?
    /// The number of times that the holder has taken it.
    var depth: Int
  }

  private(set) var steps: [Step] = []
  /// The number of times in a row that a task has found its lock taken.
  private var passes: [Int32: (lock: UInt, count: Int)] = [:]
  private var holders: [UInt: Holder] = [:]
  /// The numbers of the objects that steps use, by address. Kept if the strategy asks for candidates.
  private var numbers: [UInt: UInt32] = [:]
  /// The locks and conditions that steps of this execution have made.
  private var made: Set<UInt> = []
  private var lockCount: UInt32 = 0
  private var atomicCount: UInt32 = 0
  /// The thread that drives next; nil while the present one goes on.
  var nextDriver: OpaquePointer?

  var isFresh: Bool {
    unsafe steps.isEmpty && passes.isEmpty && holders.isEmpty && numbers.isEmpty && made.isEmpty
      && nextDriver == nil
  }

  func removeAll() {
    steps.removeAll(keepingCapacity: true)
    if !passes.isEmpty { passes.removeAll(keepingCapacity: true) }
    if !holders.isEmpty { holders.removeAll(keepingCapacity: true) }
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

  // MARK: locks

  /// Notes that a step of `task` has found `lock` taken.
  func passedOver(_ task: Int32, for lock: UInt) {
    let before = passes[task]
    passes[task] = (lock, before?.lock == lock ? (before?.count ?? 0) + 1 : 1)
  }

  /// True if the step has lost its lock to others too often.
  func isStarved(_ step: Step) -> Bool { (passes[step.frame.task]?.count ?? 0) > Fairness.mostPasses }

  func took(_ lock: UInt, isMutex: Bool = false, _ task: Int32, on thread: OpaquePointer) {
    if !passes.isEmpty { passes[task] = nil }
    if let holder = holders[lock], holder.task == task {
      holders[lock]?.depth += 1
    } else {
      unsafe holders[lock] = Holder(task: task, isMutex: isMutex, thread: thread, depth: 1)
    }
  }

  /// Notes that the step on the stack of `thread` has ended: its task keeps the locks that it holds.
  func ended(on thread: OpaquePointer) {
    for (lock, holder) in holders where unsafe holder.thread == thread { unsafe holders[lock]?.thread = nil }
  }

  /// Notes that the step on the stack of `thread` was abandoned. Returns the locks that it held, each as often as it
  /// had taken it. Reports still name its task as the holder.
  func abandoned(on thread: OpaquePointer) -> [(address: UInt, isMutex: Bool)] {
    var left: [(address: UInt, isMutex: Bool)] = []
    for (lock, holder) in holders where unsafe holder.thread == thread {
      left += repeatElement((address: lock, isMutex: holder.isMutex), count: holder.depth)
      unsafe holders[lock]?.thread = nil
    }
    return left
  }

  /// Releases the lock once. Returns true if it is free now.
  func release(_ lock: UInt) -> Bool {
    guard var holder = holders[lock] else { return true }
    holder.depth -= 1
    holders[lock] = holder.depth > 0 ? holder : nil
    return holder.depth == 0
  }

  func holder(of lock: UInt) -> Holder? { holders[lock] }
}
