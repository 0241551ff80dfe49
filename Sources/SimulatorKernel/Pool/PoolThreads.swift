internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The threads on which the global executor and Dispatch run steps, and the steps that wait for one.
///
/// On Linux, the runtime has a queue of Dispatch for each priority, as wide as the machine has cores. A step of the global
/// executor or of a default actor takes a place in it, and a thread, when it begins. A step that blocks keeps both. While blocked
/// steps keep all places of a priority, no other step of that priority begins, for as long as it takes. Blocks on
/// global and concurrent queues have no such limit, but share the threads: Dispatch has as many for each priority as the machine has
/// cores, and makes one more each second while work waits and all of them are blocked, up to 255.
///
/// - **Kept out** is a step that begins: a task or a block starts, is resumed, or comes from the main actor. A step that is parked has
///   its thread, and so does a task on its way from the global executor to an actor or back: an actor that is free is entered on the
///   thread that comes, and the thread that runs an actor's job also runs those that wait there.
/// - **Blocked** is a parked step that waits for something. A preempted step keeps nothing out, and neither does one that waits for a
///   lock whose holder can go on: a wider machine could run more beside them, and that must not be lost.
/// - **Wider**: a schedule in which more steps had begun at once than there are threads shows a wider machine. If it comes to the
///   point where nothing could run but steps that are kept out, there are so many threads from there on. So a deadlock is
///   reported only for a machine on which that very schedule can happen.
/// - **Not counted**: serial queues, which Dispatch gives as many threads as they need; threads of the program; what runs on the
///   main actor or on an executor of the program's; iterations of `concurrentPerform`, for which its caller has a thread; and, if tasks have
///   several priorities, steps of actors, because the thread may be one of another priority.
/// - **The reduced search** learns that beginning, blocking and waking have the threads in common (`SharedObject.threads`). It ignores
///   that until an execution blocks so many steps that they could keep all threads.
///
/// The table is in use only if steps are preemptible. Every operation is O(steps that are parked or kept out).
@safe final class PoolThreads: ExecutionTable {
  /// A step that is kept out.
  struct KeptOut {
    let id: Strategies.Candidate.ID
    let isBlock: Bool
  }

  /// The threads of one priority.
  struct Pool {
    let priority: UInt8
    /// The number of tasks that can have a thread at once.
    var width: Int
    /// The number of threads that tasks and blocks have together.
    var threads: Int
    /// The largest number of steps of tasks, and of tasks and blocks together, that had begun and not ended at one time.
    var mostTasks = 0
    var mostSteps = 0
    /// The number of blocked steps.
    var blockedTasks = 0
    var blockedBlocks = 0
    var keptOut: [KeptOut] = []
    /// The timer at which Dispatch makes one more thread.
    var growth: UInt32?
    /// The tasks that have blocked a thread at some time, and whether one of them has waited for anything but a lock.
    var blockers: Set<Int32> = []
    var hasWaited = false

    var isFull: Bool { blockedTasks >= width }
    var hasNoThread: Bool { blockedTasks + blockedBlocks >= threads }
    func keepsOut(blocks: Bool) -> Bool { hasNoThread || !blocks && isFull }
    /// True if one more thread would let a step begin.
    var isToGrow: Bool {
      hasNoThread && threads < PoolThreads.mostThreads && keptOut.contains { $0.isBlock || !isFull }
    }
  }

  private(set) var pools: [Pool] = []
  /// True if a step may be kept out.
  private(set) var areKept = false
  /// True if so many steps of a priority have blocked a thread that they could keep all of them at once.
  private(set) var couldBeKept = false
  /// The priority of each block on a global or concurrent queue that has begun.
  private var blocks: [Int32: UInt8] = [:]
  /// The running calls of `concurrentPerform`, by what their iterations have in common.
  var iterations: Set<UInt> = []

  var isFresh: Bool { pools.isEmpty && blocks.isEmpty && iterations.isEmpty && !areKept && !couldBeKept }

  func removeAll() {
    guard !isFresh else { return }
    pools.removeAll()
    blocks.removeAll()
    iterations.removeAll()
    (areKept, couldBeKept) = (false, false)
  }

  /// The priorities for which the runtime has a queue.
  static let priorities: [UInt8] = [5, 9, 17, 21, 25, 33]
  /// The largest number of threads that Dispatch makes for a priority.
  static let mostThreads = 255
  /// The virtual nanoseconds after which Dispatch makes one more thread.
  static let timeToGrow: Int64 = 1_000_000_000

  private func index(of priority: UInt8, width: Int) -> Int {
    if let known = pools.firstIndex(where: { $0.priority == priority }) { return known }
    pools.append(Pool(priority: priority, width: width, threads: width))
    return pools.count - 1
  }

  // MARK: steps

  func begins(_ block: Int32, _ priority: UInt8) { blocks[block] = priority }
  func priority(ofBlock block: Int32) -> UInt8? { blocks[block] }

  /// Notes that so many steps of this priority have begun and not ended.
  func begun(tasks: Int, steps: Int, _ priority: UInt8, width: Int) {
    let index = index(of: priority, width: width)
    pools[index].mostTasks = max(pools[index].mostTasks, tasks)
    pools[index].mostSteps = max(pools[index].mostSteps, steps)
  }

  /// Notes that a step of `task` blocks its thread. Returns true if that is the first time that so many steps have done so that
  /// they could keep all threads at once. Steps that wait for locks alone never do: one that holds a lock can go on.
  func blocks(_ task: Int32, _ priority: UInt8, width: Int, forLock: Bool) -> Bool {
    let index = index(of: priority, width: width)
    pools[index].blockers.insert(task)
    if !forLock { pools[index].hasWaited = true }
    guard !couldBeKept, pools[index].hasWaited, pools[index].blockers.count >= width else { return false }
    couldBeKept = true
    return true
  }

  // MARK: who is kept out

  /// Notes the numbers of blocked steps. Returns the arrivals that are no longer kept out.
  func update(_ blocked: (_ priority: UInt8) -> (tasks: Int, blocks: Int)) -> [Strategies.Candidate.ID] {
    var released: [Strategies.Candidate.ID] = []
    areKept = false
    for index in pools.indices {
      (pools[index].blockedTasks, pools[index].blockedBlocks) = blocked(pools[index].priority)
      if pools[index].hasNoThread || pools[index].isFull { areKept = true }
      guard !pools[index].keptOut.isEmpty else { continue }
      let pool = pools[index]
      released += pool.keptOut.filter { !pool.keepsOut(blocks: $0.isBlock) }.map(\.id)
      pools[index].keptOut.removeAll { !pool.keepsOut(blocks: $0.isBlock) }
    }
    return released
  }

  /// Keeps out an arrival until a thread of its priority is free. Returns false if one is.
  func keepOut(_ arrival: KeptOut, _ priority: UInt8) -> Bool {
    guard let index = pools.firstIndex(where: { $0.priority == priority }),
      pools[index].keepsOut(blocks: arrival.isBlock)
    else { return false }
    pools[index].keptOut.append(arrival)
    return true
  }

  func isKeptOut(_ id: Strategies.Candidate.ID) -> Bool {
    pools.contains { $0.keptOut.contains { $0.id == id } }
  }

  // MARK: more threads

  /// Gives each priority that keeps steps out as many threads as its steps have had at once. Returns true if that is more than
  /// before.
  func widen() -> Bool {
    var isWider = false
    for index in pools.indices where !pools[index].keptOut.isEmpty {
      let pool = pools[index]
      pools[index].width = max(pool.width, pool.mostTasks)
      pools[index].threads = max(pool.threads, pool.mostSteps)
      if pools[index].width > pool.width || pools[index].threads > pool.threads { isWider = true }
    }
    return isWider
  }

  /// Sets a timer where Dispatch is about to make one more thread, and removes one that is no longer needed.
  func setGrowth(_ set: () -> UInt32, kill: (UInt32) -> Void) {
    for index in pools.indices where pools[index].isToGrow != (pools[index].growth != nil) {
      if let timer = pools[index].growth { kill(timer) }
      pools[index].growth = pools[index].isToGrow ? set() : nil
    }
  }

  /// Makes one more thread if this timer is that of a growth. Returns false if it is not.
  func grows(_ timer: UInt32) -> Bool {
    guard let index = pools.firstIndex(where: { $0.growth == timer }) else { return false }
    pools[index].growth = nil
    pools[index].threads += 1
    return true
  }

  /// Traps if the table contradicts itself.
  func _checkInvariants() {
    precondition(Set(pools.map(\.priority)).count == pools.count)
    precondition(pools.allSatisfy { pool in pool.keptOut.allSatisfy { pool.keepsOut(blocks: $0.isBlock) } })
    precondition(pools.allSatisfy { $0.width <= $0.threads })
    precondition(pools.allSatisfy { Set($0.keptOut.map(\.id)).count == $0.keptOut.count })
  }
}
