internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The scheduler's record of a task.
@safe struct TaskRecord {
  /// The task's address while it is alive.
  var address: UnsafeMutableRawPointer
  /// The index of the task that made it, or -1.
  let parent: Int32
  /// Its number among its parent's children, from 1.
  let ordinal: Int32
  /// A hash of the path, equal in every execution.
  let path: UInt64
  var children: Int32 = 0
  /// The number of actors that it has made.
  var actors: Int32 = 0
  /// A hash of its steps, and of the order in which its groups' children finished.
  var behavior: UInt64 = 0
  var isAlive = true
  /// True if a strategy has been told that it is cancelled.
  var isCancelTold = false
  /// The process that it belongs to; 0 for none.
  var process: Processes.Number = 0
  /// The domain where it ran last.
  var domain: Int32
  /// The state of its latest continuation.
  var continuation = Continuation.unknown

  /// The number of its yields since `yieldMark` was set. That is the moment of an earlier yield. When the task yields
  /// again, nothing that has been able to run since before the moment `starved` may go on waiting.
  var yields: UInt8 = 0
  /// True if a server acts for it.
  var isServed = false
  /// True if it is a block on a queue, or the work of a thread.
  let isWork: Bool
  /// True if it only frees a result, which is no behavior of the program by itself.
  var onlyFrees = false
  /// The number of timers that it has set. It may begin anew from 0.
  var timers: UInt16 = 0
  var yieldMark: Strategies.Candidate.ID = 0
  var starved: Strategies.Candidate.ID = 0

  /// The timer that it sleeps on.
  var sleep = awake
  static let awake = UInt32.max

  /// The known state of a continuation. One that the library made for itself is never seen; an unchecked one is never
  /// seen dropped.
  enum Continuation: UInt8 { case unknown, pending, resumed, dropped }
}

/// The tasks of one execution in the order in which they were made. Everything is O(1) unless noted.
///
/// An unsafe buffer for the reason given in ``RunQueue``; indices come from `add` and from record words that the
/// hooks have compared with the execution's tag.
@safe final class Tasks: ExecutionTable {
  private var records: UnsafeMutablePointer<TaskRecord>
  /// The instant at which each sleeping task fell asleep, in nanoseconds. Kept apart, because a record has no room for it.
  private var sleptSince: UnsafeMutablePointer<Int64>
  private var capacity = 64
  private(set) var count = 0
  /// The number of tasks that have not finished.
  private(set) var alive = 0
  private var orphans: Int32 = 0
  /// The tasks of dead processes that had not finished.
  private var gone: [Int32] = []

  init() {
    unsafe records = Self.allocate(capacity: 64)
    unsafe sleptSince = .allocate(capacity: 64)
  }

  deinit {
    unsafe records.deallocate()
    unsafe sleptSince.deallocate()
  }

  subscript(index: Int32) -> TaskRecord {
    @inline(__always) get { unsafe records[Int(index)] }
    @inline(__always) set { unsafe records[Int(index)] = newValue }
  }

  var isFresh: Bool { count == 0 && alive == 0 && orphans == 0 && gone.isEmpty }

  func removeAll() {
    count = 0
    alive = 0
    orphans = 0
    if !gone.isEmpty { gone.removeAll() }
  }

  /// Adds a task that the task `parent` has made, or no task. Returns its index.
  @inline(__always)
  func add(
    _ address: UnsafeMutableRawPointer, parent: Int32, domain: Int32, isWork: Bool = false
  ) -> Int32 {
    if count == capacity { grow() }
    let ordinal: Int32
    let above: UInt64?
    var process: Processes.Number = 0
    var isServed = false
    if parent >= 0 {
      unsafe records[Int(parent)].children += 1
      unsafe ordinal = records[Int(parent)].children
      unsafe above = records[Int(parent)].path
      unsafe process = records[Int(parent)].process
      unsafe isServed = records[Int(parent)].isServed
    } else {
      orphans += 1
      ordinal = orphans
      above = nil
    }
    let path = Digest.path(parent: above, ordinal: Int(ordinal))
    unsafe (records + count).initialize(
      to: TaskRecord(
        address: address, parent: parent, ordinal: ordinal, path: path, process: process, domain: domain,
        isServed: isServed, isWork: isWork))
    count += 1
    alive += 1
    return Int32(count - 1)
  }

  @inline(__always)
  func finish(_ index: Int32) {
    guard unsafe records[Int(index)].isAlive else { return }
    unsafe records[Int(index)].isAlive = false
    alive -= 1
  }

  /// Assigns the task to `process`, and not to its maker's process.
  func belongs(_ index: Int32, to process: Processes.Number) { unsafe records[Int(index)].process = process }

  func setServed(_ index: Int32, _ isServed: Bool) { unsafe records[Int(index)].isServed = isServed }

  /// Notes that the task's process has died: the task no longer counts as alive.
  func leave(_ index: Int32) {
    guard unsafe records[Int(index)].isAlive else { return }
    finish(index)
    gone.append(index)
  }

  /// Counts the tasks of dead processes as alive again.
  func comeBack() {
    for index in gone { unsafe records[Int(index)].isAlive = true }
    alive += gone.count
    gone.removeAll()
  }

  /// Returns true, once, if the task has been cancelled and no strategy has been told.
  @inline(__always)
  func takeCancel(_ index: Int32) -> Bool {
    guard unsafe records[Int(index)].isAlive, unsafe !records[Int(index)].isCancelTold,
      unsafe ch_is_cancelled(records[Int(index)].address)
    else { return false }
    unsafe records[Int(index)].isCancelTold = true
    return true
  }

  func isCancelled(_ index: Int32) -> Bool {
    unsafe records[Int(index)].isAlive && ch_is_cancelled(records[Int(index)].address)
  }

  @inline(__always)
  func runs(_ index: Int32, on domain: Int32) { unsafe records[Int(index)].domain = domain }

  /// Counts a timer that the task sets. Returns its number, from 1; 0 for no task.
  @inline(__always)
  func countTimer(of index: Int32) -> UInt16 {
    guard index >= 0 else { return 0 }
    unsafe records[Int(index)].timers &+= 1
    return unsafe records[Int(index)].timers
  }

  /// Notes that the task sleeps from `now` on, until the timer of this order fires or a cancel wakes it.
  func setSleep(_ index: Int32, _ timer: UInt32, now: Int64) {
    unsafe records[Int(index)].sleep = timer
    unsafe sleptSince[Int(index)] = now
  }

  /// Returns the timer that the task slept on last, and since when, or nil if the task is known to be awake. A task
  /// with an executor of its own may have woken unseen.
  func lastSleep(_ index: Int32) -> (timer: UInt32, since: Int64)? {
    let timer = unsafe records[Int(index)].sleep
    return unsafe timer == TaskRecord.awake ? nil : (timer, sleptSince[Int(index)])
  }

  /// Returns, once, the timer that the task slept on.
  @inline(__always)
  func takeSleep(_ index: Int32) -> UInt32? {
    let timer = unsafe records[Int(index)].sleep
    guard timer != TaskRecord.awake else { return nil }
    unsafe records[Int(index)].sleep = TaskRecord.awake
    return timer
  }

  /// Notes that the task yields at this moment.
  @inline(__always)
  func yields(_ index: Int32, _ moment: Strategies.Candidate.ID) {
    unsafe records[Int(index)].yields += 1
    guard unsafe records[Int(index)].yields == Fairness.window else { return }
    unsafe records[Int(index)].yields = 0
    unsafe records[Int(index)].starved = records[Int(index)].yieldMark
    unsafe records[Int(index)].yieldMark = moment
  }

  /// Makes the task, when it yields, go behind everything that can run and is no younger than `moment`.
  func starves(_ index: Int32, _ moment: Strategies.Candidate.ID) {
    unsafe records[Int(index)].starved = max(records[Int(index)].starved, moment + 1)
  }

  @inline(__always)
  func setContinuation(_ index: Int32, _ state: TaskRecord.Continuation) {
    unsafe records[Int(index)].continuation = state
  }

  /// Adds a step with this hash to what a task did.
  @inline(__always)
  func saw(_ step: UInt64, by index: Int32) {
    unsafe records[Int(index)].behavior = Digest.mix(records[Int(index)].behavior, step)
  }

  /// Notes that the task only frees a result.
  func onlyFrees(_ index: Int32) { unsafe records[Int(index)].onlyFrees = true }

  /// Takes back what the task did since its hash was `behavior`.
  func setBehavior(_ index: Int32, _ behavior: UInt64) { unsafe records[Int(index)].behavior = behavior }

  /// Counts an actor that the task has made. Returns the new count.
  func madeActor(_ index: Int32) -> Int32 {
    unsafe records[Int(index)].actors += 1
    return unsafe records[Int(index)].actors
  }

  /// A hash of what each task did. The order among the tasks does not matter. O(tasks made).
  var behavior: UInt64 {
    var sum: UInt64 = 0
    for index in 0..<count where unsafe !records[index].onlyFrees {
      unsafe sum &+= Digest.mix(records[index].path, records[index].behavior)
    }
    return sum
  }

  /// Brings the record of a task into the caches.
  @inline(__always)
  func prefetch(_ index: Int32) { unsafe ch_prefetch(records + Int(index)) }

  /// The indices of the tasks that have not finished; O(tasks made).
  var living: [Int32] { (0..<Int32(count)).filter { self[$0].isAlive } }

  /// Allocates records that each fill one cache line: a record is as long as a line, and must not span two.
  private static func allocate(capacity: Int) -> UnsafeMutablePointer<TaskRecord> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: capacity * MemoryLayout<TaskRecord>.stride, alignment: 64)
    return unsafe memory.bindMemory(to: TaskRecord.self, capacity: capacity)
  }

  private func grow() {
    let larger = unsafe Self.allocate(capacity: capacity * 2)
    unsafe larger.moveInitialize(from: records, count: count)
    unsafe records.deallocate()
    unsafe records = larger
    let times = UnsafeMutablePointer<Int64>.allocate(capacity: capacity * 2)
    for index in 0..<count where unsafe records[index].sleep != TaskRecord.awake {
      unsafe times[index] = sleptSince[index]
    }
    unsafe sleptSince.deallocate()
    unsafe sleptSince = times
    capacity *= 2
  }
}
