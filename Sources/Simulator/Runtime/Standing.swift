internal import CConcurrencyHooks

/// The steps that stand in their middle, and the locks that steps hold.
///
/// A step is *left* by choice, or it *waits* for a lock. It stays on the stack of its thread, and another thread drives the
/// simulation meanwhile. O(steps that stand) for everything.
@safe final class Standing: ExecutionTable {
  /// A step that stands.
  @safe struct Step {
    /// The thread on whose stack it stands.
    let thread: OpaquePointer
    /// What it was about.
    let frame: ExecutionState.Frame
    /// How many locks it holds that are known.
    let locksHeld: UInt32
    /// Where it stands, and its callers; empty unless events are kept.
    let stack: [UInt]
    /// The lock that it waits for; 0 where it was left by choice, or the lock has been opened.
    var waitsFor: UInt
    /// Whether that is a `Mutex`, of which nothing is known but that a step has to wait for it.
    let isMutex: Bool
    /// What it uses when it goes on, as strategies are told; 0 where that is not known.
    let object: UInt32
    /// The access to memory before which it was left.
    let access: Access?
  }

  /// An access to memory that a step is about to do.
  struct Access {
    let address: UInt
    let size: UInt
    let writes: Bool
    let place: UInt
    /// Whether it gives the memory back.
    var frees = false

    var verb: String { frees ? "frees it" : writes ? "writes" : "reads" }

    /// Whether two of different steps are a data race.
    func races(with other: Access) -> Bool {
      (writes || other.writes) && address < other.address + other.size
        && other.address < address + size
    }
  }

  /// Who holds a lock.
  @safe struct Holder {
    let task: Int32
    let isMutex: Bool
    /// The thread on whose stack the step has taken it; nil once that step has ended.
    var thread: OpaquePointer?
    /// How often its holder has taken it.
    var depth: Int
  }

  private(set) var steps: [Step] = []
  /// How often a task has found the lock taken that it wants.
  private var passes: [Int32: (lock: UInt, count: Int)] = [:]
  private var holders: [UInt: Holder] = [:]
  /// The numbers of what steps use, by address. Kept where a strategy asks for candidates.
  private var numbers: [UInt: UInt32] = [:]
  /// The locks and conditions that steps of this execution have made.
  private var made: Set<UInt> = []
  private var lockCount: UInt32 = 0
  private var atomicCount: UInt32 = 0
  /// The thread that has to go on, where the one that drives is not to.
  var heir: OpaquePointer?

  var isFresh: Bool {
    unsafe steps.isEmpty && passes.isEmpty && holders.isEmpty && numbers.isEmpty && made.isEmpty
      && heir == nil
  }

  func removeAll() {
    steps.removeAll(keepingCapacity: true)
    if !passes.isEmpty { passes.removeAll(keepingCapacity: true) }
    if !holders.isEmpty { holders.removeAll(keepingCapacity: true) }
    if !numbers.isEmpty { numbers.removeAll(keepingCapacity: true) }
    if !made.isEmpty { made.removeAll(keepingCapacity: true) }
    (lockCount, atomicCount) = (0, 0)
    unsafe heir = nil
  }

  func add(_ step: Step) { steps.append(step) }

  /// Takes out the step on the stack of `thread`.
  func take(_ thread: OpaquePointer) -> Step? {
    guard let index = steps.firstIndex(where: { unsafe $0.thread == thread }) else { return nil }
    return steps.remove(at: index)
  }

  /// The step of `task` that stands.
  func step(of task: Int32) -> Step? { steps.first { $0.frame.task == task } }

  /// Whether a step stands on the stack of `thread`, or on that of one that does its step.
  func stands(_ thread: OpaquePointer) -> Bool {
    steps.contains { unsafe $0.thread == thread || ch_carries(thread, $0.thread) }
  }

  /// Where the step on the stack of `thread` stands.
  func stack(_ thread: OpaquePointer) -> [UInt] { steps.first { unsafe $0.thread == thread }?.stack ?? [] }

  /// `lock` is open: answers who has waited for it, in the order in which they came.
  func opened(_ lock: UInt) -> [Step] {
    var woken: [Step] = []
    for index in steps.indices where steps[index].waitsFor == lock {
      steps[index].waitsFor = 0
      woken.append(steps[index])
    }
    return woken
  }

  /// The number of the lock or atomic at `address`, in the order of first use: even for a lock, odd for an atomic; 0 for one that
  /// was not made in this execution, unless it `isLasting`.
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

  /// What is made at this address is another thing than what was there before.
  func made(_ address: UInt) {
    made.insert(address)
    if !numbers.isEmpty { numbers[address] = nil }
  }

  /// What was made at this address is no more.
  func unmade(_ address: UInt) {
    if !made.isEmpty { made.remove(address) }
    if !numbers.isEmpty { numbers[address] = nil }
  }

  // MARK: locks

  /// A step of `task` wants the lock, and another has it.
  func passedOver(_ task: Int32, for lock: UInt) {
    let before = passes[task]
    passes[task] = (lock, before?.lock == lock ? (before?.count ?? 0) + 1 : 1)
  }

  /// Whether a step has been passed over too often.
  func isStarved(_ step: Step) -> Bool { (passes[step.frame.task]?.count ?? 0) > Fairness.mostPasses }

  func took(_ lock: UInt, isMutex: Bool = false, _ task: Int32, on thread: OpaquePointer) {
    if !passes.isEmpty { passes[task] = nil }
    if let holder = holders[lock], holder.task == task {
      holders[lock]?.depth += 1
    } else {
      unsafe holders[lock] = Holder(task: task, isMutex: isMutex, thread: thread, depth: 1)
    }
  }

  /// A step on the stack of `thread` has ended, and what it holds is held by its task alone.
  func ended(on thread: OpaquePointer) {
    for (lock, holder) in holders where unsafe holder.thread == thread { unsafe holders[lock]?.thread = nil }
  }

  /// The step on the stack of `thread` has been left for good: answers the locks that it held, each as often as it had taken
  /// it. That its task has held them is told still.
  func abandoned(on thread: OpaquePointer) -> [(address: UInt, isMutex: Bool)] {
    var left: [(address: UInt, isMutex: Bool)] = []
    for (lock, holder) in holders where unsafe holder.thread == thread {
      left += repeatElement((address: lock, isMutex: holder.isMutex), count: holder.depth)
      unsafe holders[lock]?.thread = nil
    }
    return left
  }

  /// Whether nobody holds the lock any more.
  func opens(_ lock: UInt) -> Bool {
    guard var holder = holders[lock] else { return true }
    holder.depth -= 1
    holders[lock] = holder.depth > 0 ? holder : nil
    return holder.depth == 0
  }

  func holder(of lock: UInt) -> Holder? { holders[lock] }
}
