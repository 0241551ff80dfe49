internal import CConcurrencyHooks

/// The queues of Dispatch that an execution uses, and what waits for each.
///
/// A queue runs its entries in the order in which they came: a serial one the next when the last has ended, a concurrent
/// one as many as there are, except that a *barrier* runs alone. A queue whose target is another queue of the program's
/// takes its turn there:
///
/// - A serial one, or any that has a serial one among its targets, comes to its target as one entry, and runs all that has
///   come to it until nothing is left. So libdispatch drains a queue (`_dispatch_lane_drain`).
/// - A concurrent one on concurrent targets hands each entry on when it could run it.
///
/// Global queues keep no order: their entries are steps on the pool.
@safe final class DispatchQueues: ExecutionTable {
  typealias Index = Int

  /// What a queue runs.
  @safe enum Item {
    /// The task that does a piece of work.
    case work(Int32)
    /// Another queue, which runs what has come to it.
    case queue(Index)
    /// A step that has called `sync` and stands until this key is opened.
    case turn(UInt)
  }

  struct Entry {
    let item: Item
    /// Whether it runs alone on the queue to which it was handed.
    var isBarrier = false
    /// The queues that count it among what they run, the one that it was handed to first.
    var owners: [Index] = []
  }

  /// What a queue keeps under a key, of which something is done at its end.
  @safe struct Specific { let specific: ch_specific }

  @safe final class Queue {
    let address: UnsafeMutableRawPointer
    let label: String
    let kind: Int32
    var target: Index?
    /// Where its steps happen: its own domain where it is serial.
    var domain: Int32 = Domains.pool
    /// A name that is the same in every execution.
    let place: UInt64
    private var entries: ContiguousArray<Entry> = []
    private var head = 0
    var running = 0
    /// Whether what runs, runs alone.
    var isExclusive = false
    var suspensions: Int
    /// Whether it was made to begin later, and has not begun.
    var isInactive: Bool
    /// Whether it waits for its turn at its target, or has it.
    var isScheduled = false
    /// Its turn at its target.
    var turn: Entry?
    /// The task that has handed work to it; -2 where there are several, -1 where there is none.
    var user: Int32 = -1
    /// Whether a step has, which others may have followed before.
    var isLate = false
    /// Whether an executor of the program's runs its jobs on it.
    var isExecutors = false
    /// How many pieces of work have been handed to it.
    var count = 0
    /// How many will be, when their time has come.
    var expected = 0
    /// Whether the program has released its last reference.
    var isReleased = false
    /// What is done at its end.
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

    /// Whether nothing begins that has been handed to it.
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

  /// What a task does that has not begun, and as which entry.
  @safe struct Work {
    let work: ch_work
    var entry: Entry?
  }

  /// Somebody to be told when a group is empty.
  @safe struct Notification {
    let group: UnsafeMutableRawPointer
    let work: ch_work
    /// The step that has asked for it.
    let step: Int
  }

  private(set) var queues: [Queue] = []
  private var indices: [UInt: Index] = [:]
  /// The places of the queues that were made in this execution.
  private var places: [UInt: UInt64] = [:]
  private var madeBy: [UInt64: UInt64] = [:]
  /// What each task that has not begun does.
  private var works: [Int32: Work] = [:]
  /// The tasks that time hands to their queue.
  private var delayed: Set<Int32> = []
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

  /// The execution is over: one that the program goes on with keeps what it has, and any other's end has come.
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

  /// Whether no queue of the program's has work that could go on. O(queues).
  var areIdle: Bool {
    queues.allSatisfy { queue in
      queue.kind == CH_GLOBAL_QUEUE || queue.isStopped
        || queue.isEmpty && queue.running == 0 && !queue.isScheduled
    }
  }

  func index(of address: UnsafeMutableRawPointer) -> Index? { indices[UInt(bitPattern: address)] }

  /// Kept by a reference of ours until ``removeAll()``: so no other queue has its address in this execution.
  func add(_ queue: Queue) -> Index {
    unsafe ch_retain_dispatch(queue.address)
    queues.append(queue)
    unsafe indices[UInt(bitPattern: queue.address)] = queues.count - 1
    return queues.count - 1
  }

  /// The task of this path has made the queue.
  func made(_ queue: UnsafeMutableRawPointer, by maker: UInt64) {
    madeBy[maker, default: 0] += 1
    places[UInt(bitPattern: queue)] = Digest.mix(Digest.mix(maker, 0x5155_4555_45), madeBy[maker, default: 0])
  }

  /// The place of a queue with this label. One that no step of this execution has made goes by its label: a library may make
  /// it anew for each execution, at another address. Those of one label then count as dependent, which costs schedules and
  /// hides nothing.
  func place(of queue: UnsafeMutableRawPointer, label: String) -> UInt64 {
    places[UInt(bitPattern: queue)] ?? Digest.mix(Digest.seed, label)
  }

  /// Whether the queue, or one that its work goes through, runs one thing at a time.
  func isSerial(_ index: Index) -> Bool {
    var next: Index? = index
    while let each = next {
      if queues[each].kind != CH_CONCURRENT_QUEUE { return true }
      next = queues[each].target
    }
    return false
  }

  /// Whether it comes to its target as one entry.
  func takesTurns(_ index: Index) -> Bool { queues[index].target != nil && isSerial(index) }

  /// An executor of the program's runs a job on this queue.
  func serves(_ address: UnsafeMutableRawPointer?) {
    guard let address = unsafe address, let index = unsafe index(of: address) else { return }
    queues[index].isExecutors = true
  }

  // MARK: work

  func set(_ work: ch_work, of task: Int32) { works[task] = unsafe Work(work: work) }

  func begins(_ entry: Entry, of task: Int32) { works[task]?.entry = entry }

  func take(_ task: Int32) -> Work? { works.removeValue(forKey: task) }

  func work(of task: Int32) -> ch_work? { unsafe works[task]?.work }

  func delay(_ task: Int32) { delayed.insert(task) }

  func takeDelayed(_ task: Int32) -> Bool { !delayed.isEmpty && delayed.remove(task) != nil }

  // MARK: turns

  /// A number and a key for a caller of `sync`. No lock has such an address.
  func newTurn() -> (number: Int, key: UInt) {
    turnCount += 1
    return (turnCount, Self.key(turnCount))
  }

  /// The key on which a turn is waited for, and the one on which its end is.
  static func key(_ number: Int) -> UInt { .max - UInt(4 * number) }
  static func endKey(_ number: Int) -> UInt { key(number) - 2 }

  static func number(of key: UInt) -> Int { Int((.max - key) / 4) }

  func hasBegun(_ number: Int) -> Bool { turns[number] != nil }
  func turn(_ number: Int) -> Entry? { turns[number] }

  /// The turn that is waited for on this key, or whose end is.
  func knownTurn(_ key: UInt) -> Int? {
    let number = Self.number(of: key)
    return number >= 1 && number <= turnCount ? number : nil
  }

  /// The label of the queue to which the caller of `sync` has come that waits for this key.
  func queue(withTurn key: UInt) -> String? {
    queues.first { $0.holds { if case .turn(let its) = $0.item { its == key } else { false } } }?.label
  }

  func begins(_ entry: Entry, turn number: Int) { turns[number] = entry }
  func takeTurn(_ number: Int) -> Entry? { turns.removeValue(forKey: number) }

  /// Whether work for the queue waits for a group.
  func isAwaited(_ queue: Queue) -> Bool {
    notifications.contains { unsafe $0.work.queue == queue.address }
  }

  // MARK: groups

  /// The group is kept by a reference of ours until it is empty, or until ``removeAll()``. Any other keeps itself as long as
  /// it is not empty, and of one that is nothing is held.
  func notify(_ notification: Notification) {
    unsafe ch_retain_dispatch(notification.group)
    notifications.append(notification)
  }

  /// Whether somebody has asked in this step to be told when the group is empty.
  func isAwaited(_ group: UnsafeMutableRawPointer, since step: Int) -> Bool {
    notifications.contains { unsafe $0.group == group && $0.step == step }
  }

  /// Who is to be told now, in the order in which they asked.
  func takeNotified(where isEmpty: (UnsafeMutableRawPointer) -> Bool) -> [Notification] {
    guard !notifications.isEmpty else { return [] }
    let told = notifications.filter { unsafe isEmpty($0.group) }
    notifications.removeAll { unsafe isEmpty($0.group) }
    return told
  }
}
