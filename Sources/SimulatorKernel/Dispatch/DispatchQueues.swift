internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The Dispatch queues that an execution uses, and the work that waits for each.
///
/// A queue runs its entries in the order in which they came. A serial queue runs the next entry when the last one has
/// ended. A concurrent queue runs as many as there are, but it runs a *barrier* alone. A queue whose target is another
/// queue of the program's takes its turn there:
///
/// - A serial queue, or any that has a serial one among its targets, is enqueued on its target as one entry, and then
///   runs all that was enqueued on it until nothing is left. This is how libdispatch drains a queue
///   (`_dispatch_lane_drain`).
/// - A concurrent queue on concurrent targets hands each entry on when it could run it.
///
/// Global queues keep no order: their entries are steps on the pool.
///
/// A block on a queue is a task of its own (`Scheduler.makeTask(for:)`), which the queue offers when its turn comes. The hooks
/// hide that task from the block, which would see none. A step that calls `sync` on a queue that is not free waits in the
/// queue like a block, and is parked. Work that is delayed is handed over by a queue of the simulator's own, because a thread
/// of Dispatch does that in reality, at some point after the work is due.
@safe final class DispatchQueues: ExecutionTable {
  typealias Index = Int

  /// The work of an entry.
  @safe enum Item {
    /// The task that does a piece of work.
    case work(Int32)
    /// Another queue, which runs what was enqueued on it.
    case queue(Index)
    /// A step that has called `sync`; its turn comes when this key is unlocked.
    case turn(UInt)
  }

  struct Entry {
    let item: Item
    /// True if it runs alone on the queue to which it was handed.
    var isBarrier = false
    /// The queues that count it among what they run. The first is the one that it was handed to.
    var owners: [Index] = []
  }

  /// A value that a queue keeps under a key, with a destructor that runs at the queue's end.
  @safe struct Specific { let specific: ch_specific }

  @safe final class Queue {
    let address: UnsafeMutableRawPointer
    let label: String
    let kind: Int32
    var target: Index?
    /// The domain of its steps. A serial queue has its own.
    var domain: Int32 = Domains.pool
    /// A name that is the same in every execution.
    let place: UInt64
    private var entries: ContiguousArray<Entry> = []
    private var head = 0
    var running = 0
    /// True if what runs now runs alone.
    var isExclusive = false
    var suspensions: Int
    /// The block that had not begun when the queue was suspended.
    var heldBack: Strategies.Candidate.ID?
    /// True if it was made inactive and has not been activated.
    var isInactive: Bool
    /// True if it waits for its turn at its target, or has it.
    var isScheduled = false
    /// Its turn at its target.
    var turn: Entry?
    /// The task that has handed work to it; -2 if there are several, -1 if there is none.
    var user: Int32 = -1
    /// True if a step has handed work to it after it made something else runnable, which may come here first.
    var isLate = false
    /// True if an executor of the program's runs its jobs on it.
    var isExecutors = false
    /// The number of pieces of work that have been handed to it.
    var count = 0
    /// The number of pieces that will be handed to it once their time has come.
    var expected = 0
    /// True if the program has released its last reference.
    var isReleased = false
    /// The values whose destructors run at its end.
    var specifics: [Specific] = []

    init(_ address: UnsafeMutableRawPointer, label: String, kind: Int32, place: UInt64) {
      unsafe self.address = address
      self.label = label
      self.kind = kind
      self.place = place
      let isOwn = kind == CH_SERIAL_QUEUE || kind == CH_CONCURRENT_QUEUE
      suspensions = unsafe isOwn ? Int(ch_suspensions_of_queue(address)) : 0
      isInactive = unsafe isOwn && ch_is_inactive_queue(address)
    }

    /// True if nothing that has been handed to it may begin.
    var isStopped: Bool { suspensions > 0 || isInactive }
    var isEmpty: Bool { head == entries.count }
    var first: Entry? { isEmpty ? nil : entries[head] }

    func holds(_ matches: (Entry) -> Bool) -> Bool { entries[head...].contains(where: matches) }

    func append(_ entry: Entry) { entries.append(entry) }

    func removeFirst() -> Entry {
      let entry = entries[head]
      head += 1
      if head >= 32, head * 2 > entries.count {
        entries.removeSubrange(..<head)
        head = 0
      }
      return entry
    }
  }

  private(set) var queues: [Queue] = []
  private var indices: [UInt: Index] = [:]
  /// The places of the queues that were made in this execution.
  private var places: [UInt: UInt64] = [:]
  private var madeBy: [UInt64: UInt64] = [:]
  /// The work of each task that has not begun.
  private var works: [Int32: Work] = [:]
  /// The tasks that are handed to their queue when their time has come, and how that time was set.
  private var delayed: [Int32: TimerStamp] = [:]
  /// The turns of callers of `sync`, by number.
  private var turns: [Int: Entry] = [:]
  private var turnCount = 0
  private var notifications: [Notification] = []

  var isFresh: Bool {
    queues.isEmpty && places.isEmpty && works.isEmpty && turns.isEmpty && notifications.isEmpty
      && delayed.isEmpty
  }

  func removeAll() {
    guard !isFresh || !indices.isEmpty else { return }
    for queue in queues { release(queue) }
    for notification in notifications { unsafe ch_release_dispatch(notification.group) }
    queues.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    madeBy.removeAll(keepingCapacity: true)
    works.removeAll(keepingCapacity: true)
    delayed.removeAll(keepingCapacity: true)
    turns.removeAll(keepingCapacity: true)
    turnCount = 0
    notifications.removeAll()
  }

  /// Releases a queue when the execution is over. If the program goes on with the queue, it gets its values back;
  /// otherwise their destructors run.
  private func release(_ queue: Queue) {
    for kept in queue.specifics {
      if unsafe ch_is_released(queue.address) {
        unsafe ch_end_specific(kept.specific)
      } else {
        unsafe ch_restore_specific(queue.address, kept.specific)
      }
    }
    unsafe ch_release_dispatch(queue.address)
  }

  // MARK: queues

  subscript(index: Index) -> Queue { queues[index] }

  /// True if no queue of the program's has work that could go on. O(queues).
  var areIdle: Bool {
    queues.allSatisfy { queue in
      queue.kind == CH_GLOBAL_QUEUE || queue.isStopped
        || queue.isEmpty && queue.running == 0 && !queue.isScheduled
    }
  }

  func index(of address: UnsafeMutableRawPointer) -> Index? { indices[UInt(bitPattern: address)] }

  /// Adds a queue and keeps a reference to it until ``removeAll()``, so no other queue has its address in this
  /// execution.
  func add(_ queue: Queue) -> Index {
    unsafe ch_retain_dispatch(queue.address)
    queues.append(queue)
    unsafe indices[UInt(bitPattern: queue.address)] = queues.count - 1
    return queues.count - 1
  }

  /// Notes that the task with the path `maker` has made the queue.
  func made(_ queue: UnsafeMutableRawPointer, by maker: UInt64) {
    madeBy[maker, default: 0] += 1
    places[UInt(bitPattern: queue)] = Digest.mix(Digest.mix(maker, 0x5155_4555_45), madeBy[maker, default: 0])
  }

  /// Returns the place of a queue with this label. A queue that no step of this execution has made goes by its label,
  /// because a library may make it again for each execution, at another address. Queues with the same label then count
  /// as dependent, which costs schedules and hides nothing.
  func place(of queue: UnsafeMutableRawPointer, label: String) -> UInt64 {
    places[UInt(bitPattern: queue)] ?? Digest.mix(Digest.seed, label)
  }

  /// Returns true if the queue, or one that its work goes through, runs one thing at a time.
  func isSerial(_ index: Index) -> Bool {
    var next: Index? = index
    while let each = next {
      if queues[each].kind != CH_CONCURRENT_QUEUE { return true }
      next = queues[each].target
    }
    return false
  }

  /// Returns true if the queue is enqueued on its target as one entry.
  func takesTurns(_ index: Index) -> Bool { queues[index].target != nil && isSerial(index) }

  /// Notes that an executor of the program's runs a job on this queue.
  func serves(_ address: UnsafeMutableRawPointer?) {
    guard let address = unsafe address, let index = unsafe index(of: address) else { return }
    queues[index].isExecutors = true
  }

  // MARK: work

  func set(_ work: ch_work, of task: Int32) { works[task] = unsafe Work(work: work) }

  /// Returns the tasks that are to run a work item. O(pieces of work).
  func tasks(ofItem group: UnsafeMutableRawPointer) -> [Int32] {
    works.filter { unsafe ch_work_item_group($0.value.work) == group }.keys.sorted()
  }

  /// Notes that the task could have begun its work before that was canceled.
  func mayHaveBegun(_ task: Int32) { works[task]?.mayHaveBegun = true }

  func begins(_ entry: Entry, of task: Int32) { works[task]?.entry = entry }
  func isNext(_ task: Int32, on index: Index) -> Bool { works[task]?.entry?.owners == [index] }
  func take(_ task: Int32) -> Work? { works.removeValue(forKey: task) }
  func work(of task: Int32) -> ch_work? { unsafe works[task]?.work }
  func delay(_ task: Int32, _ stamp: TimerStamp) { delayed[task] = stamp }
  var hasDelayed: Bool { !delayed.isEmpty }
  func stamp(ofDelayed task: Int32) -> TimerStamp? { delayed[task] }
  func takeDelayed(_ task: Int32) -> Bool { !delayed.isEmpty && delayed.removeValue(forKey: task) != nil }

  // MARK: turns

  /// Returns a number and a key for a caller of `sync`. No lock has such an address.
  func newTurn() -> (number: Int, key: UInt) {
    turnCount += 1
    return (turnCount, Self.key(turnCount))
  }

  /// Returns the key on which a turn is waited for; `endKey(_:)` returns the one on which its end is waited for.
  static func key(_ number: Int) -> UInt { .max - UInt(4 * number) }
  static func endKey(_ number: Int) -> UInt { key(number) - 2 }

  static func number(of key: UInt) -> Int { Int((.max - key) / 4) }

  func hasBegun(_ number: Int) -> Bool { turns[number] != nil }
  func turn(_ number: Int) -> Entry? { turns[number] }

  /// Returns the turn that is waited for on this key, or whose end is; nil for any other key.
  func knownTurn(_ key: UInt) -> Int? {
    let number = Self.number(of: key)
    return number >= 1 && number <= turnCount ? number : nil
  }

  /// Returns the queue on which the caller of `sync` that waits for this key is enqueued.
  func queue(withTurn key: UInt) -> Queue? {
    queues.first { $0.holds { if case .turn(let its) = $0.item { its == key } else { false } } }
  }

  func begins(_ entry: Entry, turn number: Int) { turns[number] = entry }
  func takeTurn(_ number: Int) -> Entry? { turns.removeValue(forKey: number) }

  /// Returns true if work for the queue waits for a group.
  func isAwaited(_ queue: Queue) -> Bool {
    notifications.contains { unsafe $0.work.queue == queue.address }
  }

  // MARK: groups

  /// Adds a notification, and keeps a reference to its group until that is empty, or until ``removeAll()``. Any other
  /// group keeps itself alive while it is not empty, and nothing refers to it here once it is.
  func notify(_ notification: Notification) {
    unsafe ch_retain_dispatch(notification.group)
    notifications.append(notification)
  }

  /// Returns true if `step` has asked to be notified when the group is empty.
  func isAwaited(_ group: UnsafeMutableRawPointer, since step: Int) -> Bool {
    notifications.contains { unsafe $0.group == group && $0.step == step }
  }

  /// Removes and returns the notifications that are due, in the order in which they were asked for.
  func takeNotified(where isEmpty: (UnsafeMutableRawPointer) -> Bool) -> [Notification] {
    guard !notifications.isEmpty else { return [] }
    let told = notifications.filter { unsafe isEmpty($0.group) }
    notifications.removeAll { unsafe isEmpty($0.group) }
    return told
  }
}
