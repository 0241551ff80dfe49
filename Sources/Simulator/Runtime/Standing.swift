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
  }

  /// Who holds a lock.
  struct Holder {
    let task: Int32
    /// How often its holder has taken it.
    var depth: Int
  }

  private(set) var steps: [Step] = []
  private var holders: [UInt: Holder] = [:]
  /// The thread that has to go on, where the one that drives is not to.
  var heir: OpaquePointer?

  var isFresh: Bool { unsafe steps.isEmpty && holders.isEmpty && heir == nil }

  func removeAll() {
    steps.removeAll(keepingCapacity: true)
    if !holders.isEmpty { holders.removeAll(keepingCapacity: true) }
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

  func stands(_ thread: OpaquePointer) -> Bool { steps.contains { unsafe $0.thread == thread } }

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

  // MARK: locks

  func took(_ lock: UInt, _ task: Int32) {
    if let holder = holders[lock], holder.task == task {
      holders[lock]?.depth += 1
    } else {
      holders[lock] = Holder(task: task, depth: 1)
    }
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
