internal import CConcurrencyHooks

/// What the scheduler knows of a task.
@safe struct TaskRecord {
  /// The task's address while it is alive.
  var address: UnsafeMutableRawPointer
  /// The index of the task that made it, or -1.
  let parent: Int32
  /// Which of its parent's children it is, from 1.
  let ordinal: Int32
  /// A hash of the path, equal in every execution.
  let path: UInt64
  var children: Int32 = 0
  /// How many actors it has made.
  var actors: Int32 = 0
  /// A hash of its steps, and of the order in which its groups' children finished.
  var behaviour: UInt64 = 0
  var isAlive = true
  /// Whether a strategy has been told that it is cancelled.
  var isCancelTold = false
  /// The process that it belongs to; 0 for none.
  var process: Processes.Number = 0
  /// Where it ran last.
  var domain: Int32
  /// Where its latest continuation stands.
  var continuation = Continuation.unknown

  /// How often it has yielded since `yieldMark` was set, which is the moment of an earlier yield; and the moment before
  /// which nothing that can run may go on waiting when it yields again.
  var yields: UInt8 = 0
  /// Whether a server acts for it.
  var isServed = false
  /// Whether it is a block on a queue, or the work of a thread.
  let isWork: Bool
  var yieldMark: Strategies.Candidate.ID = 0
  var starved: Strategies.Candidate.ID = 0

  /// The timer that it sleeps on.
  var sleep = awake
  static let awake = UInt32.max

  /// What is known of a continuation. One that the library made for itself is never seen; one that is not checked is never
  /// seen dropped.
  enum Continuation: UInt8 { case unknown, pending, resumed, dropped }
}

/// The tasks of one execution in the order in which they were made. O(1) for everything.
///
/// An unsafe buffer for the reason given in ``RunQueue``; indices come from `add` and from record words that the
/// hooks have compared with the execution's tag.
@safe final class Tasks: ExecutionTable {
  private var records: UnsafeMutablePointer<TaskRecord>
  /// Since when each sleeps, in nanoseconds, of those that do. Apart, because a record has no room for it.
  private var sleptSince: UnsafeMutablePointer<Int64>
  private var capacity = 64
  private(set) var count = 0
  /// How many have not finished.
  private(set) var alive = 0
  private var orphans: Int32 = 0
  /// Those of dead processes that had not finished.
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

  /// A task has been made by the task `parent`, or by none.
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

  /// The task belongs to `process`, and not to its maker's.
  func belongs(_ index: Int32, to process: Processes.Number) { unsafe records[Int(index)].process = process }

  func setServed(_ index: Int32, _ isServed: Bool) { unsafe records[Int(index)].isServed = isServed }

  /// The task's process has died: it counts as alive no more.
  func leave(_ index: Int32) {
    guard unsafe records[Int(index)].isAlive else { return }
    finish(index)
    gone.append(index)
  }

  /// Those that have left count again.
  func comeBack() {
    for index in gone { unsafe records[Int(index)].isAlive = true }
    alive += gone.count
    gone.removeAll()
  }

  /// Whether the task has been cancelled and no strategy has been told; asked for once.
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

  /// The task sleeps from `now` on until the timer of this order fires, or a cancel wakes it.
  func setSleep(_ index: Int32, _ timer: UInt32, now: Int64) {
    unsafe records[Int(index)].sleep = timer
    unsafe sleptSince[Int(index)] = now
  }

  /// The timer that the task slept on last, and since when; nil where it is known to be awake. Whose executor is its own may
  /// have woken unseen.
  func lastSleep(_ index: Int32) -> (timer: UInt32, since: Int64)? {
    let timer = unsafe records[Int(index)].sleep
    return unsafe timer == TaskRecord.awake ? nil : (timer, sleptSince[Int(index)])
  }

  /// The timer that the task slept on, asked for once.
  @inline(__always)
  func takeSleep(_ index: Int32) -> UInt32? {
    let timer = unsafe records[Int(index)].sleep
    guard timer != TaskRecord.awake else { return nil }
    unsafe records[Int(index)].sleep = TaskRecord.awake
    return timer
  }

  /// The task yields at this moment.
  @inline(__always)
  func yields(_ index: Int32, _ moment: Strategies.Candidate.ID) {
    unsafe records[Int(index)].yields += 1
    guard unsafe records[Int(index)].yields == Fairness.window else { return }
    unsafe records[Int(index)].yields = 0
    unsafe records[Int(index)].starved = records[Int(index)].yieldMark
    unsafe records[Int(index)].yieldMark = moment
  }

  /// The task goes behind all that can run and is no younger than `moment`, when it yields.
  func starves(_ index: Int32, _ moment: Strategies.Candidate.ID) {
    unsafe records[Int(index)].starved = max(records[Int(index)].starved, moment + 1)
  }

  @inline(__always)
  func setContinuation(_ index: Int32, _ state: TaskRecord.Continuation) {
    unsafe records[Int(index)].continuation = state
  }

  /// A step of this hash happens in the name of a task.
  @inline(__always)
  func saw(_ step: UInt64, by index: Int32) {
    unsafe records[Int(index)].behaviour = Digest.mix(records[Int(index)].behaviour, step)
  }

  /// Takes back what was seen since its behaviour was `behaviour`.
  func setBehaviour(_ index: Int32, _ behaviour: UInt64) { unsafe records[Int(index)].behaviour = behaviour }

  /// Counts an actor that the task has made.
  func madeActor(_ index: Int32) -> Int32 {
    unsafe records[Int(index)].actors += 1
    return unsafe records[Int(index)].actors
  }

  /// What each task did, whatever the order among them. O(tasks made).
  var behaviour: UInt64 {
    var sum: UInt64 = 0
    for index in 0..<count { unsafe sum &+= Digest.mix(records[index].path, records[index].behaviour) }
    return sum
  }

  /// Brings the record of a task into the caches.
  @inline(__always)
  func prefetch(_ index: Int32) { unsafe ch_prefetch(records + Int(index)) }

  /// The indices of the tasks that have not finished; O(tasks made).
  var living: [Int32] { (0..<Int32(count)).filter { self[$0].isAlive } }

  /// A record is as long as a line of the caches, and is to be in one and not in two.
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
